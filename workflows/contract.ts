/** All that the front server and the worker may know of a running task. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate, type Sinks } from '@temporalio/workflow';
import type { Act } from '../protocol/act.ts';
import type { Requester } from '../protocol/approval.ts';
import type { DecisionVerdict, SignedDecision } from '../protocol/decision.ts';
import type { ClientFeatures } from '../protocol/input-feature.ts';
import type { TaskSeed, TaskSnapshot } from '../protocol/task-state.ts';
import type { JsonObject, ToolResult } from '../protocol/task.ts';
import type { BlobRef } from '../protocol/blob-ref.ts';

/** What the caller's request declared it can answer. What a run's input leaves out was not declared. */
export type CallerFeatures = Pick<ClientFeatures, 'elicitationForm'> & Partial<ClientFeatures>;

/** The one argument of every task workflow. */
export interface ToolTaskInput {
  readonly seed: TaskSeed;
  readonly args: JsonObject;
  /** Hash of who called. */
  readonly caller: string;
  /** Who called, as other people read it. Absent in runs of before there were approvals. */
  readonly requestedBy?: string;
  readonly requester?: Requester;
  readonly features: CallerFeatures;
  readonly maxTtlMs: number;
  /** What the tool asks first is still open: the task asks it before the body begins. Absent once it has. */
  readonly asksFirst?: true;
  /** What happens is recorded. Absent in runs of before there was an audit. */
  readonly acts?: true;
  /** Set by continue-as-new only. */
  readonly carried?: CarriedState;
}

/** What one run hands to the next: of bounded size, however long the task has lived. */
export interface CarriedState {
  readonly snapshot: TaskSnapshot;
  readonly facts: Readonly<Record<string, string>>;
  readonly finishedSteps: readonly string[];
  readonly acts?: CarriedActs;
}

export interface CarriedActs {
  /** The number of the next act. */
  readonly next: number;
  /** Not recorded yet; few. */
  readonly unsent: readonly Act[];
}

/** What a completed workflow returns; a large result stands in the blob store. */
export type ToolTaskOutput = { readonly result: ToolResult } | { readonly ref: BlobRef };

/** Responses to outstanding keys. A member that is not an object is an answer that fits nothing. */
export interface TaskInput {
  readonly responses: Readonly<Record<string, unknown>>;
  /** Epoch ms on the front's clock. */
  readonly receivedAt: number;
}

export const taskQuery = defineQuery<TaskSnapshot>('task');
export const taskInputSignal = defineSignal<[TaskInput]>('taskInput');
/** A decision by somebody other than the caller. What cannot count fails as `DECISION_REFUSED` with a `DecisionRefusal`. */
export const decideUpdate = defineUpdate<DecisionVerdict, [SignedDecision]>('decide');
/** Type of the failure by which the validator of `decide` keeps a decision out. */
export const DECISION_REFUSED = 'DecisionRefused';

/** Memo: the latest snapshot, there from the start. */
export const TASK_MEMO = 'task';
/** Memo: what the call was, to tell a repeated call from another one under the same idempotency key. */
export const CALL_MEMO = 'call';
export interface CallMemo {
  readonly argumentsDigest: string;
}

export const principalAttribute = defineSearchAttributeKey('McpPrincipal', 'KEYWORD');
export const statusAttribute = defineSearchAttributeKey('McpStatus', 'KEYWORD');
export const expiresAtAttribute = defineSearchAttributeKey('McpExpiresAt', 'DATETIME');
/** Who is waited for, since when and until when: for the Temporal UI, and to find what waits. */
export const approversAttribute = defineSearchAttributeKey('McpApprovers', 'KEYWORD_LIST');
export const waitingSinceAttribute = defineSearchAttributeKey('McpWaitingSince', 'DATETIME');
export const dueAtAttribute = defineSearchAttributeKey('McpDueAt', 'DATETIME');
export const searchAttributes = [
  principalAttribute,
  statusAttribute,
  expiresAtAttribute,
  approversAttribute,
  waitingSinceAttribute,
  dueAtAttribute,
];

export interface StatusChange {
  readonly from: string;
  readonly to: string;
  /** How long the task stood in `from`. */
  readonly heldMs: number;
  /** The how-manieth of its run, from 1. */
  readonly ordinal: number;
}

/**
 * What a workflow counts; the worker keeps the numbers. Never called during replay, but again when Temporal has not taken
 * what the workflow decided and asks once more.
 */
export interface TaskSinks extends Sinks {
  tasks: {
    statusChanged(tool: string, change: StatusChange): void;
  };
}
