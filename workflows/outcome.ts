/** Thrown → status: the one place where a body's end becomes a task's end. */
import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  isCancellation,
  TemporalFailure,
} from '@temporalio/workflow';
import { INTERNAL_ERROR } from '../protocol/extension.ts';
import { exactError, exactResult } from '../protocol/exact-answer.ts';
import { expiredText, internalErrorText, PROTOCOL_FAILURE, TOOL_FAILURE } from '../protocol/task-failure.ts';
import type { Outcome, TaskSnapshot } from '../protocol/task-state.ts';
import type { RpcError, ToolResult } from '../protocol/task.ts';
import type { LeftEffect } from './effects.ts';
import { toolError } from './tool.ts';

export function completedWith(result: ToolResult): Outcome {
  return { status: 'completed', result: exactResult(result) };
}

/**
 * What an error out of a body means. A bug in workflow code is none of these: it is thrown on, so that the workflow task
 * is retried until fixed code is deployed.
 */
export function outcomeOfError(error: unknown, state: TaskSnapshot): Outcome {
  if (isCancellation(error) && state.ending === 'cancel') return { status: 'cancelled' };
  if (isCancellation(error) && state.ending === 'deadline') {
    return failedWith({ code: INTERNAL_ERROR, message: expiredText(state.deadlineAt) });
  }
  const named = namedFailure(error);
  if (named?.type === TOOL_FAILURE) return { status: 'completed', result: toolError(named.message) };
  // An activity's details are gone when JSON could not carry them: what is left is an error nobody foresaw.
  const details = named?.details?.[0] as RpcError | undefined;
  if (details !== undefined) return failedWith(exactError(details));
  if (error instanceof TemporalFailure) {
    return failedWith({ code: INTERNAL_ERROR, message: internalErrorText(state.taskId) });
  }
  throw error;
}

/**
 * The effects of a task that did not complete could not be taken back: that is a result, and it has to be told. What
 * nobody foresaw is told by the words of its step; its own text is not for the caller.
 */
export function notUndone(left: readonly LeftEffect[]): Outcome {
  const told = left.map(({ words, failure }) => namedFailure(failure)?.message ?? `The effect of "${words}" remains.`);
  // One cause may keep several effects from being undone.
  const once = [...new Set(told)].join(' ');
  return {
    status: 'completed',
    result: toolError(`The task was ended, but what it had done could not be undone: ${once}`),
  };
}

function failedWith(error: RpcError): Outcome {
  return { status: 'failed', error };
}

function namedFailure(error: unknown): ApplicationFailure | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ApplicationFailure && (at.type === TOOL_FAILURE || at.type === PROTOCOL_FAILURE)) return at;
    if (!(at instanceof ActivityFailure || at instanceof ChildWorkflowFailure || at instanceof ApplicationFailure))
      break;
  }
  return undefined;
}
