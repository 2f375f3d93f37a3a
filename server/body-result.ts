/** How a tool's own code ends that runs in this process: as a task's body would, the same failures to the same answers. */
import { exactError, exactResult } from '../protocol/exact-answer.ts';
import { PROTOCOL_FAILURE, TOOL_FAILURE } from '../protocol/task-failure.ts';
import type { RpcError, ToolResult } from '../protocol/task.ts';
import { toolError } from '../workflows/tool.ts';
import { failedWith } from './errors.ts';

export async function resultOfBody(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return exactResult(await run());
  } catch (error) {
    return resultOfThrown(error);
  }
}

/** @throws what is no failure that a tool names */
export function resultOfThrown(error: unknown): ToolResult {
  if (!(error instanceof Error)) throw error;
  const { type, details } = error as { type?: unknown; details?: readonly unknown[] | null };
  if (type === TOOL_FAILURE) return toolError(error.message);
  if (type === PROTOCOL_FAILURE) throw failedWith(exactError(details?.[0] as RpcError));
  throw error;
}
