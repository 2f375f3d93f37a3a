/** All that the front server and the worker may know of a running task. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { defineQuery, defineSignal, type Sinks } from '@temporalio/workflow';
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
  readonly features: CallerFeatures;
  readonly maxTtlMs: number;
  /** Set by continue-as-new only. */
  readonly carried?: CarriedState;
}

/** What one run hands to the next. */
export interface CarriedState {
  readonly snapshot: TaskSnapshot;
  readonly closedKeys: readonly string[];
  readonly facts: Readonly<Record<string, string>>;
  readonly finishedSteps: readonly string[];
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
/** Who decides, for the Temporal UI. Registered from the start, so that no later version needs another set-up. */
export const approversAttribute = defineSearchAttributeKey('McpApprovers', 'KEYWORD_LIST');
export const searchAttributes = [principalAttribute, statusAttribute, expiresAtAttribute, approversAttribute];

/** What a workflow counts; the worker keeps the numbers. Never called during replay. */
export interface TaskSinks extends Sinks {
  tasks: {
    /** `heldMs`: how long the task stood in `from`. */
    statusChanged(tool: string, from: string, to: string, heldMs: number): void;
  };
}
