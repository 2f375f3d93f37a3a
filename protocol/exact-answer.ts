/** What a tool hands out, held to what JSON carries exactly. Tasks and plain calls go through here, so both answer alike. */
import { firstNonJsonPath } from './json-value.ts';
import type { RpcError, ToolResult } from './task.ts';

/** A result that JSON would change is a tool's fault that its caller can read, never a task that cannot end. */
export function exactResult(result: ToolResult): ToolResult {
  const path = firstNonJsonPath(result);
  if (path === undefined) return result;
  const text = `The tool's result holds a value that JSON cannot carry, at ${path}.`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** Code and message stand; data that JSON would change is left out, and the message says so. */
export function exactError(error: RpcError): RpcError {
  const { code, message, data } = error;
  const path = data === undefined ? undefined : firstNonJsonPath(data, '$.data');
  if (path === undefined) return error;
  return { code, message: `${message} (Its data is left out: it holds a value that JSON cannot carry, at ${path}.)` };
}
