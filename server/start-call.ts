import type { DetailedTask, JsonObject } from '../protocol/task.ts';
import type { TaskTool } from '../workflows/tool.ts';
import { readIdempotencyKey } from './idempotency-key.ts';
import { taskTtl } from './task-ttl.ts';
import type { ToolCall, ToolCallParts } from './tool-call.ts';

/** A call whose arguments fit, and are complete but for what its task asks first. */
export interface AcceptedCall {
  readonly tool: TaskTool;
  /** As the caller passed them. */
  readonly passedArgs: JsonObject;
  /** With the answers in them that were asked for first. */
  readonly args: JsonObject;
  readonly asksFirst: boolean;
  readonly keyArgument: string | undefined;
}

export interface Started {
  readonly task: DetailedTask;
  /** The caller can find the task again, even if this answer is lost. */
  readonly isReachable: boolean;
}

/** Of a task whose tool names none. */
export const DEFAULT_POLL_INTERVAL_MS = 1_000;

export async function startCall(parts: ToolCallParts, call: ToolCall, accepted: AcceptedCall): Promise<Started> {
  const { tool, args, asksFirst, keyArgument } = accepted;
  const { tasks: _, ...features } = call.declared;
  const idempotencyKey = readIdempotencyKey({ ...call.keys, argument: keyArgument });
  call.signal.throwIfAborted();
  const { ttlMs, maxTtlMs } = taskTtl(tool);
  const { task } = await parts.store.create(parts.caller, {
    tool: tool.name,
    args,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    features,
    ...(asksFirst ? { asksFirst } : {}),
    ttlMs: Math.min(call.asTask?.ttlMs ?? ttlMs, maxTtlMs),
    maxTtlMs,
    pollIntervalMs: tool.pollIntervalMs ?? DEFAULT_POLL_INTERVAL_MS,
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
  await parts.store.cancel(parts.caller, task.taskId, 'the caller gave the call up');
}

/** The call ends in an error, which names no task. That error matters more than whether this cancel succeeds. */
export async function cancelUnnamed({ store, caller }: ToolCallParts, { task, isReachable }: Started): Promise<void> {
  if (isReachable) return;
  await store.cancel(caller, task.taskId, 'its call ended in an error that does not name it').catch(() => undefined);
}
