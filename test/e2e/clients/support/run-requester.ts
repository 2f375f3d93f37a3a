/**
 * A process with the official requester in it: it does the steps that its second argument names against the server at the
 * first, one after the other, and prints what came of each. The server is a URL, or the JSON of a command that serves over
 * stdio. A process of its own, because the requester takes objects that were made in another realm for none.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { JsonRpcResponseError, type TaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { openRequester, type Requester } from './requester.ts';
import type { FormContent, RequesterOutcome, RequesterStep } from './requester-step.ts';

const STEP_BUDGET_MS = 45_000;

/** The answers of the step that is being done, and how many forms it has put. */
const asking = { answers: [] as readonly FormContent[], count: 0 };

function nextAnswer(): FormContent {
  const content = asking.answers[Math.min(asking.count, asking.answers.length - 1)];
  asking.count += 1;
  if (content === undefined) throw new Error('Asked, and nothing to say.');
  return content;
}

async function perform(requester: Requester, step: RequesterStep): Promise<RequesterOutcome> {
  asking.answers = step.answers ?? [];
  asking.count = 0;
  const outcome = await outcomeOf(requester, step).catch(refused);
  return { ...outcome, asked: asking.count };
}

async function outcomeOf({ session }: Requester, step: RequesterStep): Promise<Omit<RequesterOutcome, 'asked'>> {
  const execution =
    step.do === 'resume' ? await session.resumeTask(step.reference) : await session.callTool(step.tool, step.args);
  const { kind } = execution;
  if (step.do === 'start' && execution.kind === 'task') {
    const reference = execution.serializeReference();
    await execution.handoff(() => undefined);
    return { kind, reference };
  }
  if (step.do === 'cancel' && execution.kind === 'task') {
    await execution.cancel();
    return { kind, ...shown(await session.task(execution.handle.taskId).result()) };
  }
  const { outcome } = await execution.settle();
  return { kind, ...shown(outcome) };
}

/** The call itself was answered with an error. */
function refused(error: unknown): Pick<RequesterOutcome, 'status' | 'code'> {
  if (error instanceof JsonRpcResponseError) return { status: 'refused', code: error.code };
  throw error;
}

function shown(outcome: TaskOutcome<unknown>): Omit<RequesterOutcome, 'kind' | 'reference' | 'asked'> {
  if (outcome.status === 'failed') {
    const { code, message } = outcome.error;
    return { status: 'failed', text: message, ...(code === undefined ? {} : { code }) };
  }
  if (outcome.status === 'cancelled') return { status: 'cancelled' };
  const { content, isError } = outcome.result as ShownResult;
  const [first] = content;
  return {
    status: 'completed',
    ...(first?.text === undefined ? {} : { text: first.text }),
    ...(content.length === 1 && first?.type === 'text' ? {} : { types: content.map(({ type }) => type) }),
    ...(isError === true ? { isError } : {}),
  };
}
interface ShownResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}

const [server = '', steps = '[]'] = process.argv.slice(2);
const target = server.startsWith('{')
  ? new StdioClientTransport({ ...(JSON.parse(server) as StdioServerParameters), stderr: 'inherit' })
  : server;
const requester = await openRequester(target, {
  elicitation: () => ({ action: 'accept', content: nextAnswer() }),
  sampling: () => ({ role: 'assistant', model: 'test', content: { type: 'text', text: 'Paris' } }),
  roots: () => ({ roots: [{ uri: 'file:///project', name: 'Project' }] }),
});
const outcomes: RequesterOutcome[] = [];
for (const step of JSON.parse(steps) as readonly RequesterStep[]) {
  const late = delay(STEP_BUDGET_MS, undefined, { ref: false }).then(() => {
    throw new Error(`Not done in time: ${JSON.stringify(step)}`);
  });
  outcomes.push(await Promise.race([perform(requester, step), late]));
}
await requester.close();
process.stdout.write(JSON.stringify(outcomes));
