/** `params.task`: a client of MCP 2025-11-25 asks for a task. */
import { invalidParams } from './errors.ts';

export interface TaskRequest {
  /** How long the client wants the task kept, from its creation. */
  readonly ttlMs?: number;
}

/** Shorter lives end before their timer is looked at. */
const MIN_TTL_MS = 1_000;

/** `undefined`: no task is asked for. @throws ProtocolError when it is malformed */
export function readTaskRequest(task: unknown): TaskRequest | undefined {
  if (task === undefined) return undefined;
  if (typeof task !== 'object' || task === null || Array.isArray(task)) {
    throw invalidParams('params.task must be an object.');
  }
  const ttl: unknown = 'ttl' in task ? task.ttl : undefined;
  if (ttl === undefined || ttl === null) return {};
  if (typeof ttl !== 'number' || !Number.isFinite(ttl) || ttl < 0) {
    throw invalidParams('params.task.ttl must be a number of milliseconds.');
  }
  return { ttlMs: Math.max(Math.ceil(ttl), MIN_TTL_MS) };
}
