/**
 * Failures that cross Temporal. A class does not survive serialization, so these names are what both sides match on
 * (`ApplicationFailure.type`).
 */

/** The tool says no, or an outside system failed for good: the task is `completed` with `isError`. */
export const TOOL_FAILURE = 'ToolFailure';
/** What would have been a JSON-RPC error: the task is `failed`. Details: one `RpcError`. */
export const PROTOCOL_FAILURE = 'ProtocolFailure';

/** The fixed text for what nobody foresaw: it tells the caller where to point, and nothing else. */
export function internalErrorText(taskId: string): string {
  return `Internal error while running task ${taskId}. Quote this id to the operator of this server.`;
}
export function expiredText(deadlineAt: number): string {
  return `The task expired at ${new Date(deadlineAt).toISOString()} before it finished. Call the tool again.`;
}
export const TERMINATED_TEXT = 'The task was stopped by an operator. Call the tool again.';
