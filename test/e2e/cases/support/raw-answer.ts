/** Answers as raw JSON text, because a value that JSON.stringify would change or lose has to arrive as it was written. */
import type { JsonObject } from '../../../../protocol/task.ts';
import { bodyOf, post, type McpAnswer } from '../../../support/mcp-request.ts';
import { questionsOf, resultOf, type TaskClient } from '../../../support/task-client.ts';

const PLACE = '"#answer#"';
const ENDS_WITHIN_MS = 20_000;

/** `tasks/update` whose `inputResponses` is exactly this text. */
export function updateRaw(origin: string, taskId: string, inputResponses: string): Promise<McpAnswer> {
  const request = { method: 'tasks/update', params: { taskId, inputResponses: '#answer#' } };
  return post(`${origin}/mcp`, { ...request, rawBody: bodyOf(request).replace(PLACE, () => inputResponses) });
}

/** What became of an answer: the body took it, or the task asks again and says why. */
export type Verdict = { readonly taken: JsonObject } | { readonly askedAgain: string };

/** Puts `form` of the tool `ask_form`, answers it with this JSON text, and ends the task. */
export async function verdictOn(client: TaskClient, origin: string, form: string, answer: string): Promise<Verdict> {
  const taskId = await client.create('ask_form', { form });
  const [key = ''] = Object.keys(questionsOf(await client.until(taskId, ['input_required'], ENDS_WITHIN_MS)));
  const { status, body } = await updateRaw(origin, taskId, `{${JSON.stringify(key)}:${answer}}`);
  if (status !== 200 || body.result.resultType !== 'complete') throw new Error(`Not acknowledged: ${String(status)}`);
  // An acknowledged answer is gone from the very next read: what is asked after it is asked anew.
  const after = await client.until(taskId, ['completed', 'input_required', 'failed'], ENDS_WITHIN_MS);
  if (after.status === 'completed') return { taken: resultOf(after).structuredContent ?? {} };
  const [again, ...others] = Object.entries(questionsOf(after));
  if (again === undefined || again[0] === key || others.length > 0) {
    throw new Error(`Neither taken nor asked again: ${JSON.stringify(after)}`);
  }
  await client.cancel(taskId);
  return { askedAgain: again[1].params['message'] as string };
}
