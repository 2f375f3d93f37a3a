/** Under which ids a caller's tasks stand. */
import { createHash, createHmac } from 'node:crypto';
import { takeRandomBytes } from '../../encryption/random-pool.ts';
import { TASK_ID_PATTERN } from '../../protocol/extension.ts';
import { principalsOf, type Caller } from '../caller.ts';

/** Where a task of this principal stands. */
export interface TaskPlace {
  readonly principal: string;
  readonly workflowId: string;
}

/** Random without a key; with one, always the same for the same caller. */
export function taskIdFor(principalKey: Uint8Array, principal: string, idempotencyKey: string | undefined): string {
  if (idempotencyKey === undefined) return newId();
  const mac = createHmac('sha256', principalKey).update(`task\0${principal}\0${idempotencyKey}`);
  return mac.digest().subarray(0, 16).toString('base64url');
}

function newId(): string {
  return takeRandomBytes(16).toString('base64url');
}

export function workflowIdOf(principal: string, taskId: string): string {
  return `mcp-task/${principal}/${taskId}`;
}

/**
 * Where a task of this caller may stand, the likelier place first. What cannot be an id is looked for under one that nobody
 * has: it takes as long to be not found as an id that is not there or not the caller's. Under the same one each time, which
 * Temporal then knows as well as any other that it was asked for before.
 */
export function placesOf(caller: Caller, taskId: string): readonly TaskPlace[] {
  const ofNobody = createHash('sha256').update(taskId).digest().subarray(0, 16).toString('base64url');
  const sought = TASK_ID_PATTERN.test(taskId) ? taskId : ofNobody;
  return principalsOf(caller).map((principal) => ({ principal, workflowId: workflowIdOf(principal, sought) }));
}
