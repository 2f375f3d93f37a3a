/** The raw calls of Temporal on which the operations rest, from this process, without retry and without interceptors. */
import { randomBytes, randomUUID } from 'node:crypto';
import { TypedSearchAttributes, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import { Client, Connection, defaultPayloadConverter } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { seedState, toSnapshot } from '../../protocol/task-state.ts';
import type { JsonObject } from '../../protocol/task.ts';
import {
  CALL_MEMO,
  expiresAtAttribute,
  principalAttribute,
  statusAttribute,
  TASK_MEMO,
  taskInputSignal,
  type ToolTaskInput,
} from '../../workflows/contract.ts';

export interface RawTemporal {
  /** Starts a workflow that is equal to a task in all that is sent. Answers its workflow id. */
  start(tool: string, args: JsonObject): Promise<string>;
  describe(workflowId: string): Promise<unknown>;
  signal(workflowId: string, responses: JsonObject): Promise<unknown>;
  requestCancel(workflowId: string): Promise<unknown>;
  close(): Promise<void>;
}

const DAY_MS = 86_400_000;

export async function openRawTemporal(taskQueue: string): Promise<RawTemporal> {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = await Connection.connect({ ...connectionOptions, interceptors: [] });
  const client = new Client({ connection, namespace, interceptors: {} });
  const rpc = connection.workflowService;
  const caller = randomBytes(16).toString('hex');
  const executionOf = (workflowId: string) => ({ namespace, workflowExecution: { workflowId } });

  return {
    async start(tool, args) {
      const taskId = randomBytes(16).toString('base64url');
      const seed = { taskId, createdAt: Date.now(), ttlMs: DAY_MS, pollIntervalMs: 1_000 };
      const input: ToolTaskInput = {
        seed,
        args,
        caller,
        features: { elicitationForm: true },
        maxTtlMs: 30 * DAY_MS,
        acts: true,
      };
      const workflowId = `bench/${caller}/${taskId}`;
      await client.workflow.start(tool, {
        priority: { fairnessKey: caller },
        workflowId,
        taskQueue,
        args: [input],
        memo: { [TASK_MEMO]: toSnapshot(seedState(seed)), [CALL_MEMO]: { argumentsDigest: caller + caller } },
        typedSearchAttributes: new TypedSearchAttributes([
          { key: principalAttribute, value: caller },
          { key: statusAttribute, value: 'working' },
          { key: expiresAtAttribute, value: new Date(seed.createdAt + DAY_MS) },
        ]),
        workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        workflowExecutionTimeout: 37 * DAY_MS,
        staticSummary: 'bench',
      });
      return workflowId;
    },
    describe: (workflowId) => rpc.describeWorkflowExecution({ namespace, execution: { workflowId } }),
    signal(workflowId, responses) {
      const payload = defaultPayloadConverter.toPayload({ responses, receivedAt: Date.now() });
      return rpc.signalWorkflowExecution({
        ...executionOf(workflowId),
        signalName: taskInputSignal.name,
        input: { payloads: [payload] },
        requestId: randomUUID(),
      });
    },
    requestCancel: (workflowId) =>
      rpc.requestCancelWorkflowExecution({ ...executionOf(workflowId), requestId: randomUUID(), reason: 'bench' }),
    close: () => connection.close(),
  };
}
