import { exactError, exactResult } from '../protocol/exact-answer.ts';
import { PROTOCOL_FAILURE, TOOL_FAILURE } from '../protocol/task-failure.ts';
import type { JsonObject, RpcError, ToolResult } from '../protocol/task.ts';
import { toolError, type InstantTool } from '../workflows/tool.ts';
import { failedWith } from './errors.ts';

/** Runs a `never` body. It ends as a task's body would: the same failures lead to the same answers. */
export async function runInstantTool(tool: InstantTool, args: JsonObject): Promise<ToolResult> {
  try {
    return exactResult(await tool.run(args));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { type, details } = error as { type?: unknown; details?: readonly unknown[] | null };
    if (type === TOOL_FAILURE) return toolError(error.message);
    if (type === PROTOCOL_FAILURE) throw failedWith(exactError(details?.[0] as RpcError));
    throw error;
  }
}
