import { ApplicationFailure } from '@temporalio/workflow';
import { TOOL_FAILURE } from '../protocol/task-failure.ts';

/** Whether the tool says no, by `toolFailure` or out of an activity whose failure was taken apart. */
export function isToolFailure(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === TOOL_FAILURE;
}
