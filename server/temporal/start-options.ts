import { TypedSearchAttributes, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { seedState, toSnapshot, type TaskSeed } from '../../protocol/task-state.ts';
import {
  CALL_MEMO,
  expiresAtAttribute,
  principalAttribute,
  statusAttribute,
  TASK_MEMO,
  type CallMemo,
  type ToolTaskInput,
} from '../../workflows/contract.ts';
import type { Caller } from '../caller.ts';
import type { NewTask } from '../task-store.ts';
import type { StartOptions } from './task-workflow-client.ts';

/** After the deadline: for clean-up and settlement, before Temporal itself ends the run without a word. */
const SETTLEMENT_GRACE_MS = 7 * 24 * 3_600_000;

interface Start {
  readonly task: NewTask;
  readonly seed: TaskSeed;
  readonly call: CallMemo;
}

/** How the workflow of a new task is started. A workflow id that is taken starts nothing. */
export function startOptions(
  where: Pick<StartOptions, 'workflowId' | 'taskQueue'>,
  { principal }: Caller,
  { task, seed, call }: Start,
): StartOptions {
  const { args, features, maxTtlMs, summary } = task;
  const input: ToolTaskInput = { seed, args, caller: principal, features, maxTtlMs };
  return {
    ...where,
    args: [input],
    memo: { [TASK_MEMO]: toSnapshot(seedState(seed)), [CALL_MEMO]: call },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: principalAttribute, value: principal },
      { key: statusAttribute, value: 'working' },
      { key: expiresAtAttribute, value: new Date(seed.createdAt + seed.ttlMs) },
    ]),
    workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowExecutionTimeout: msToTs(maxTtlMs + SETTLEMENT_GRACE_MS),
    ...(summary === undefined ? {} : { staticSummary: summary }),
  };
}
