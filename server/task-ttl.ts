import type { TaskTool } from '../workflows/tool.ts';

const DAY_MS = 86_400_000;

/** After the deadline: for clean-up and settlement, before Temporal itself ends the run without a word. */
export const SETTLEMENT_GRACE_MS = 7 * DAY_MS;

/** How long a task of a tool may run: when nothing else is said, and when everything has been extended. */
export function taskTtl({ ttlMs = DAY_MS, maxTtlMs = 30 * DAY_MS }: Pick<TaskTool, 'ttlMs' | 'maxTtlMs'>): {
  readonly ttlMs: number;
  readonly maxTtlMs: number;
} {
  return { ttlMs, maxTtlMs: Math.max(maxTtlMs, ttlMs) };
}
