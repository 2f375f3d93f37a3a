import type { DetailedTask, JsonObject } from '../protocol/task.ts';
import type { TaskTool } from '../workflows/tool.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import type { ToolCall, ToolCallParts } from './tool-call.ts';

/** A call whose arguments are complete and fit. */
export interface AcceptedCall {
  readonly tool: TaskTool;
  /** As the caller passed them. */
  readonly passedArgs: JsonObject;
  /** With the answers in them that were asked for first. */
  readonly args: JsonObject;
  readonly keyArgument: string | undefined;
}

export interface Started {
  readonly task: DetailedTask;
  /** The caller can find the task again, even if this answer is lost. */
  readonly isReachable: boolean;
}

const DAY_MS = 86_400_000;
const DEFAULTS = { ttlMs: DAY_MS, maxTtlMs: 30 * DAY_MS, pollIntervalMs: 1_000 };

export async function startCall(parts: ToolCallParts, call: ToolCall, accepted: AcceptedCall): Promise<Started> {
  const { tool, args, keyArgument } = accepted;
  const { tasks: _, ...features } = call.declared;
  const idempotencyKey = readIdempotencyKey({ ...call.keys, argument: keyArgument });
  call.signal.throwIfAborted();
  const ttlMs = tool.ttlMs ?? DEFAULTS.ttlMs;
  const maxTtlMs = Math.max(tool.maxTtlMs ?? DEFAULTS.maxTtlMs, ttlMs);
  const { task } = await parts.store.create(parts.caller, {
    tool: tool.name,
    args,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    features,
    ttlMs: Math.min(call.asTask?.ttlMs ?? ttlMs, maxTtlMs),
    maxTtlMs,
    pollIntervalMs: tool.pollIntervalMs ?? DEFAULTS.pollIntervalMs,
    ...(tool.summary === undefined ? {} : { summary: tool.summary(args) }),
  });
  return { task, isReachable: idempotencyKey !== undefined };
}

/** How long a caller that can take a task waits for a plain answer. */
export function syncBudgetOf(parts: ToolCallParts, { tool, args }: AcceptedCall): number {
  if (typeof tool.syncBudgetMs === 'function') return tool.syncBudgetMs(args);
  return tool.syncBudgetMs ?? (tool.task === 'required' ? 0 : parts.budgets.syncBudgetMs);
}

/**
 * The caller went away before it was told the task id, and no key finds the task again: going on would serve nobody.
 * Spec: closing the response stream cancels the request.
 */
export async function cancelIfUnreachable(
  parts: ToolCallParts,
  call: ToolCall,
  { task, isReachable }: Started,
): Promise<void> {
  if (!call.signal.aborted || isReachable) return;
  await parts.store.cancel(parts.caller, task.taskId, 'the caller closed the connection');
}
