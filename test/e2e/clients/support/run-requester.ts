/**
 * A process with the official requester in it: it does the steps that its second argument names against the server at the
 * first, one after the other, and prints what came of each. A process of its own, because the requester takes objects that
 * were made in another realm for none.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { TaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { openRequester, type Requester } from './requester.ts';
import type { FormContent, RequesterOutcome, RequesterStep } from './requester-step.ts';

const STEP_BUDGET_MS = 45_000;

async function perform(url: string, step: RequesterStep): Promise<RequesterOutcome> {
  const counter = { asked: 0 };
  const requester = await openRequester(url, {
    elicitation: () => ({ action: 'accept', content: answerTo(step.answers ?? [], counter) }),
    sampling: () => ({ role: 'assistant', model: 'test', content: { type: 'text', text: 'Paris' } }),
    roots: () => ({ roots: [{ uri: 'file:///work', name: 'Work' }] }),
  });
  try {
    return { ...(await outcomeOf(requester, step)), asked: counter.asked };
  } finally {
    await requester.close();
  }
}

function answerTo(answers: readonly FormContent[], counter: { asked: number }): FormContent {
  const content = answers[Math.min(counter.asked, answers.length - 1)];
  counter.asked += 1;
  if (content === undefined) throw new Error('Asked, and nothing to say.');
  return content;
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

function shown(outcome: TaskOutcome<unknown>): Pick<RequesterOutcome, 'status' | 'text' | 'isError' | 'code'> {
  if (outcome.status === 'failed') {
    const { code, message } = outcome.error;
    return { status: 'failed', text: message, ...(code === undefined ? {} : { code }) };
  }
  if (outcome.status === 'cancelled') return { status: 'cancelled' };
  const { content, isError } = outcome.result as { content: readonly { text?: string }[]; isError?: boolean };
  const text = content[0]?.text;
  return { status: 'completed', ...(text === undefined ? {} : { text }), ...(isError === true ? { isError } : {}) };
}

const [url = '', steps = '[]'] = process.argv.slice(2);
const outcomes: RequesterOutcome[] = [];
for (const step of JSON.parse(steps) as readonly RequesterStep[]) {
  const late = delay(STEP_BUDGET_MS, undefined, { ref: false }).then(() => {
    throw new Error(`Not done in time: ${JSON.stringify(step)}`);
  });
  outcomes.push(await Promise.race([perform(url, step), late]));
}
process.stdout.write(JSON.stringify(outcomes));
