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
import { SETTLEMENT_GRACE_MS } from '../task-ttl.ts';
import type { StartOptions } from './task-workflow-client.ts';

interface Start {
  readonly task: NewTask;
  readonly seed: TaskSeed;
  readonly call: CallMemo;
}

/** How the workflow of a new task is started. A workflow id that is taken starts nothing. */
export function startOptions(
  where: Pick<StartOptions, 'workflowId' | 'taskQueue'>,
  { principal, tenant, displayName, identity }: Caller,
  { task, seed, call }: Start,
): StartOptions {
  const { args, features, maxTtlMs, summary, asksFirst } = task;
  const input: ToolTaskInput = {
    seed,
    args,
    caller: principal,
    ...(displayName === undefined ? {} : { requestedBy: displayName }),
    ...(identity === undefined ? {} : { requester: identity }),
    features,
    maxTtlMs,
    ...(asksFirst === undefined ? {} : { asksFirst }),
    acts: true,
  };
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
    // Where tasks wait for workers, each tenant gets its turn, however many tasks another one has. Activities inherit it.
    priority: { fairnessKey: tenant },
    workflowExecutionTimeout: msToTs(maxTtlMs + SETTLEMENT_GRACE_MS),
    ...(summary === undefined ? {} : { staticSummary: summary }),
  };
}
