/**
 * The last step of a task: the outcome is fixed and said so in the memo, a large result is filed, and the workflow
 * closes as the outcome demands.
 */
import {
  allHandlersFinished,
  ApplicationFailure,
  CancelledFailure,
  condition,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { boundedError, boundedResult } from '../protocol/bounded-answer.ts';
import { PROTOCOL_FAILURE } from '../protocol/task-failure.ts';
import type { Outcome } from '../protocol/task-state.ts';
import type { ToolResult } from '../protocol/task.ts';
import type { ActOutbox } from './acts.ts';
import type { ToolTaskInput, ToolTaskOutput } from './contract.ts';
import type { TaskRecord } from './task-record.ts';

/** Above this a result stands in the blob store and the history holds a reference. */
const INLINE_RESULT_CHARS = 64 * 1024;

const { storeResult } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'File the result',
});

export async function settle(
  input: ToolTaskInput,
  { record, acts }: { readonly record: TaskRecord; readonly acts: ActOutbox },
  outcome: Outcome,
): Promise<ToolTaskOutput> {
  const final = withinLimits(outcome);
  const text = JSON.stringify(final);
  record.apply({ type: 'settling', status: final.status, digest: digestOf(text) });
  record.publish();
  switch (final.status) {
    case 'cancelled':
      await leave(acts);
      throw new CancelledFailure('The task was cancelled.');
    case 'failed':
      await leave(acts);
      throw ApplicationFailure.nonRetryable(final.error.message, PROTOCOL_FAILURE, final.error);
    case 'completed': {
      const output = await outputOf(input, final.result, text.length);
      await leave(acts);
      return output;
    }
  }
}

async function leave(acts: ActOutbox): Promise<void> {
  await acts.finish();
  await condition(allHandlersFinished);
}

async function outputOf(input: ToolTaskInput, result: ToolResult, chars: number): Promise<ToolTaskOutput> {
  if (chars <= INLINE_RESULT_CHARS) return { result };
  return { ref: await storeResult({ caller: input.caller, taskId: input.seed.taskId, result }) };
}

function withinLimits(outcome: Outcome): Outcome {
  switch (outcome.status) {
    case 'completed':
      return { status: 'completed', result: boundedResult(outcome.result) };
    case 'failed':
      return { status: 'failed', error: boundedError(outcome.error) };
    case 'cancelled':
      return outcome;
  }
}

/** FNV-1a, twice 32 bits: tells two outcomes of one task apart, for a person who repairs it. Not a proof. */
function digestOf(text: string): string {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let index = 0; index < text.length; index += 1) {
    high = Math.imul(high ^ text.charCodeAt(index), 0x01000193);
    low = Math.imul(low ^ text.charCodeAt(index), 0x85ebca6b);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
