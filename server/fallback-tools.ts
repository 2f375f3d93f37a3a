/**
 * The tools for clients without the Tasks extension: the same tasks, in plain calls. Such clients alone see them, and they
 * alone may call them.
 */
import type { ToolResult } from '../protocol/task.ts';
import { toolError } from '../workflows/tool.ts';
import { TASK_NOT_FOUND_TEXT } from './errors.ts';
import type { FallbackTool } from './fallback/fallback-tool.ts';
import { myTasks } from './fallback/my-tasks.ts';
import { taskAnswer } from './fallback/task-answer.ts';
import { taskCancel } from './fallback/task-cancel.ts';
import { taskResult } from './fallback/task-result.ts';
import { taskWait } from './fallback/task-wait.ts';
import { TaskNotFound } from './task-store.ts';
import type { ToolCallParts } from './tool-call.ts';
import type { ListedTool } from './tool-contract.ts';
import type { Waiting } from './wait-for-task.ts';

/** By name. */
export const fallbackTools: ReadonlyMap<string, FallbackTool> = new Map(
  [taskWait, taskResult, taskAnswer, taskCancel, myTasks].map((tool) => [tool.listed.name, tool] as const),
);

export const fallbackToolNames: readonly string[] = [...fallbackTools.keys()];
export const listedFallbackTools: readonly ListedTool[] = [...fallbackTools.values()].map(({ listed }) => listed);

/** `undefined`: no such tool. Whoever has only tools reads of a missing task in a tool's words. */
export async function callFallbackTool(
  name: string,
  raw: Readonly<Record<string, unknown>>,
  parts: ToolCallParts,
  waiting: Waiting,
): Promise<ToolResult | undefined> {
  const tool = fallbackTools.get(name);
  if (tool === undefined) return undefined;
  const parsed = tool.parseArguments(raw);
  if (!parsed.ok) return toolError(`The arguments do not fit ${name}:\n${parsed.faults}`);
  try {
    return await tool.run(parsed.args, parts, waiting);
  } catch (error) {
    if (error instanceof TaskNotFound) return toolError(TASK_NOT_FOUND_TEXT);
    throw error;
  }
}
