/** What a task hands out, held to what it can carry: a larger one could not be written, and the task would never end. */
import type { RpcError, ToolResult } from './task.ts';

/** In JSON. Temporal refuses 2 MB, and UTF-8 may take three bytes a character. */
const MAX_CHARS = 600 * 1024;
const LIMIT = `${String(MAX_CHARS / 1024)} KB`;
/** Of a message that has to be cut. */
const KEPT_CHARS = 1_000;

/** A result that is too large is a tool's fault that its caller can read and mend. */
export function boundedResult(result: ToolResult): ToolResult {
  if (fits(result)) return result;
  return {
    content: [{ type: 'text', text: `The tool's result is larger than ${LIMIT}. Ask for less at once.` }],
    isError: true,
  };
}

/** The code stands, and as much of the message as any reader wants; data is left out, and the message says so. */
export function boundedError(error: RpcError): RpcError {
  if (fits(error)) return error;
  const { code, message } = error;
  return { code, message: `${message.slice(0, KEPT_CHARS)} (The rest is left out: it is larger than ${LIMIT}.)` };
}

function fits(value: ToolResult | RpcError): boolean {
  return JSON.stringify(value).length <= MAX_CHARS;
}
