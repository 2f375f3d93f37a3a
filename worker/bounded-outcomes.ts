/**
 * What leaves an activity, result or failure, is held to what Temporal takes. By itself the SDK has a larger one tried
 * again, and it would be as large each time: the task would work for ever, and one of tens of megabytes stops the worker.
 */
import { ApplicationFailure } from '@temporalio/common';
import { TOOL_FAILURE } from '../protocol/task-failure.ts';
import { dropDetails, guardOutcomes } from './guard-outcomes.ts';

/** Temporal refuses 2 MB. */
const MAX_RESULT_BYTES = 1_500 * 1024;
const MAX_DETAILS_BYTES = 600 * 1024;
/** Of the message and of the stack of each failure in a chain of causes. */
const MAX_WORDS_CHARS = 16 * 1024;

export const boundedOutcomes = guardOutcomes({
  faultOf(result) {
    if (Buffer.byteLength(JSON.stringify(result)) <= MAX_RESULT_BYTES) return undefined;
    const limit = `${String(MAX_RESULT_BYTES / 1024)} KB`;
    return ApplicationFailure.nonRetryable(
      `A step of this tool gave a result larger than ${limit}. Ask for less at once.`,
      TOOL_FAILURE,
    );
  },
  mend(failure) {
    // The stack begins with the message.
    failure.message = failure.message.slice(0, MAX_WORDS_CHARS);
    failure.stack &&= failure.stack.slice(0, MAX_WORDS_CHARS);
    if (!(failure instanceof ApplicationFailure)) return;
    if (Buffer.byteLength(JSON.stringify(failure.details ?? [])) > MAX_DETAILS_BYTES) dropDetails(failure);
  },
});
