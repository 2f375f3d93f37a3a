/**
 * The message that starts the workflow of a new task. It is built here and not by the SDK's client, which encrypts each payload
 * in a step of its own and checks attributes that are never wrong: a good part of what a front adds to a start.
 */
import { randomUUID } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { temporal } from '@temporalio/proto';
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
import { enums } from './proto-enums.ts';
import type { TemporalService } from './temporal-service.ts';

export type StartRequest = temporal.api.workflowservice.v1.IStartWorkflowExecutionRequest & {
  readonly workflowId: string;
};
type Payload = temporal.api.common.v1.IPayload;

interface Start {
  readonly workflowId: string;
  readonly task: NewTask;
  readonly seed: TaskSeed;
  readonly call: CallMemo;
}

/** Sent twice it starts once: it carries its own request id. A workflow id that is taken starts nothing. */
export async function startRequest(
  { client, namespace, taskQueue }: Pick<TemporalService, 'client' | 'namespace' | 'taskQueue'>,
  caller: Caller,
  { workflowId, task, seed, call }: Start,
): Promise<StartRequest> {
  const { principal, tenant } = caller;
  const state = toSnapshot(seedState(seed));
  const secrets = [inputOf(caller, task, seed), state, call, ...(task.summary === undefined ? [] : [task.summary])];
  const [input, taskMemo, callMemo, summary] = await client.encodeAll(secrets.map(jsonPayload));
  return {
    namespace,
    identity: client.options.identity,
    requestId: randomUUID(),
    workflowId,
    workflowIdReusePolicy: enums.WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE,
    workflowIdConflictPolicy: enums.WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
    workflowType: { name: task.tool },
    taskQueue: { name: taskQueue, kind: enums.TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
    input: { payloads: [input as Payload] },
    memo: { fields: { [TASK_MEMO]: taskMemo as Payload, [CALL_MEMO]: callMemo as Payload } },
    searchAttributes: {
      indexedFields: {
        [principalAttribute.name]: indexed(KEYWORD, principal),
        [statusAttribute.name]: indexed(KEYWORD, 'working'),
        [expiresAtAttribute.name]: indexed(DATETIME, new Date(state.deadlineAt)),
      },
    },
    // Where tasks wait for workers, each tenant gets its turn, however many tasks another one has. Activities inherit it.
    priority: { fairnessKey: tenant },
    workflowExecutionTimeout: msToTs(task.maxTtlMs + SETTLEMENT_GRACE_MS),
    ...(summary === undefined ? {} : { userMetadata: { summary } }),
  };
}

/** To begin again under an id whose earlier run is closed. */
export function again(request: StartRequest): StartRequest {
  return {
    ...request,
    requestId: randomUUID(),
    workflowIdReusePolicy: enums.WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
  };
}

function inputOf({ principal, displayName, identity }: Caller, task: NewTask, seed: TaskSeed): ToolTaskInput {
  const { args, features, maxTtlMs, asksFirst } = task;
  return {
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
}

/** Shared and frozen: the codec frames it once. */
const JSON_METADATA = Object.freeze({ encoding: Buffer.from('json/plain') });
/** The words of the Temporal API for the types of its attributes. */
const [KEYWORD, DATETIME] = [Buffer.from('Keyword'), Buffer.from('Datetime')];

/** As the SDK's converter writes what is neither bytes nor absent. */
function jsonPayload(value: unknown): Payload {
  return { metadata: JSON_METADATA, data: Buffer.from(JSON.stringify(value)) };
}

/** In clear: Temporal searches by it. */
function indexed(type: Buffer, value: string | Date): Payload {
  return { ...jsonPayload(value), metadata: { ...JSON_METADATA, type } };
}
