/** One `tools/call` and what it gets. */
import type { DetailedTask, InputRequests, ToolResult } from '../protocol/task.ts';
import type { ReadableApprovals } from './approvals/approval-source.ts';
import type { Declared } from './caller.ts';
import type { AskClient } from './follow-task.ts';
import type { KeySources } from './idempotency-key.ts';
import type { HandingOut } from './plain-answer.ts';
import type { RequestStates } from './request-state.ts';
import type { Sealing } from './sealing.ts';
import type { TaskRequest } from './task-request.ts';
import type { TaskStore } from './task-store.ts';
import type { ToolContracts } from './tool-contract.ts';
import type { Waiting } from './wait-for-task.ts';

export interface ToolCallParts extends HandingOut {
  readonly contracts: ToolContracts;
  readonly store: TaskStore;
  readonly budgets: {
    readonly syncBudgetMs: number;
    readonly fallbackBudgetMs: number;
    readonly progressIntervalMs?: number;
  };
  readonly requestStates: RequestStates;
  /** Of the tools that list. */
  readonly cursors: Sealing;
  /** Absent: nobody is asked to decide here. */
  readonly approvals?: ReadableApprovals | undefined;
}

export interface ToolCall extends Waiting {
  readonly name: unknown;
  readonly args: unknown;
  readonly declared: Declared;
  /** The revision knows -32021 and multi round trips. */
  readonly isModern: boolean;
  /** An older client asks for a task. */
  readonly asTask?: TaskRequest | undefined;
  /** What is asked before a task exists comes back with this call, called again. Otherwise only a task can ask. */
  readonly isAskedFirst: boolean;
  /** An older client that takes requests of the server while its call is held. */
  readonly ask?: AskClient | undefined;
  readonly keys: KeySources;
  /** What a client that was asked comes back with. */
  readonly requestState?: unknown;
  readonly responses?: Readonly<Record<string, unknown>>;
}

export type ToolAnswer =
  | { readonly kind: 'plain'; readonly result: ToolResult }
  | { readonly kind: 'task'; readonly task: DetailedTask }
  | { readonly kind: 'input'; readonly requests: InputRequests; readonly requestState: string };
