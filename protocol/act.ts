/** What happened to a task, as its audit keeps it. */
import type { Approval } from './approval.ts';
import type { JsonObject } from './task.ts';

/** What the task itself tells. */
export type TaskActType =
  | 'created'
  | 'asked'
  | 'answered'
  | 'approval_requested'
  | 'voted'
  | 'reminded'
  | 'escalated'
  | 'approval_decided'
  | 'cancel_requested'
  | 'expired'
  | 'effect'
  | 'file_taken'
  | 'ended';

/** What only others can tell: who looked at it, said that they look at it, and took its files, how an operator ended it, and who stands in for whom. */
export type OutsideActType =
  | 'viewed'
  | 'result_read'
  | 'claimed'
  | 'released'
  | 'downloaded'
  | 'terminated'
  | 'reset'
  | 'delegated'
  | 'delegation_revoked';

export interface NewAct<Type extends string = TaskActType> {
  readonly type: Type;
  /** Which of several acts of one type it is, such as the id of an approval. With `seq` and type it tells an act that is written twice. */
  readonly about: string;
  /** A name, for people to read. */
  readonly by?: string;
  readonly data: JsonObject;
}

/** One act of a task. */
export interface Act extends NewAct {
  /** Counts from 0 in the life of the task. */
  readonly seq: number;
  /** Epoch ms, on Temporal's clock. */
  readonly at: number;
}

/** One act that somebody else tells of. */
export interface OutsideAct extends NewAct<OutsideActType> {
  /** Of a delegation, which belongs to no task: `delegation:` and its id. */
  readonly taskId: string;
  /** Epoch ms. */
  readonly at: number;
}

/** A file that the caller has uploaded, as a task has read it. */
export interface TakenFile {
  readonly fileId: string;
  /** As its caller called it. */
  readonly name: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

export interface AuditedTask {
  readonly workflowId: string;
  readonly taskId: string;
  readonly tool: string;
  /** Hash of who called. */
  readonly caller: string;
}

/** What a task hands over at once. Handed over twice it counts once. */
export interface ActBatch {
  readonly task: AuditedTask;
  /** In the order of `seq`. */
  readonly acts: readonly Act[];
  /** The approvals that wait now, for the queue. */
  readonly queue: readonly Approval[];
}
