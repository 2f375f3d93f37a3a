import { describe, expect, it } from '@jest/globals';
import { Connection, type WorkflowStartInput } from '@temporalio/client';
import {
  TypedSearchAttributes,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  type Payload,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import { again, startRequest, type StartRequest } from '../../../../server/temporal/start-request.ts';
import { TaskWorkflowClient } from '../../../../server/temporal/task-workflow-client.ts';
import type { NewTask } from '../../../../server/task-store.ts';
import { expiresAtAttribute, principalAttribute, statusAttribute } from '../../../../workflows/contract.ts';
import { testDataConverter } from '../../../support/encryption.ts';
import { testCaller } from '../../../support/test-caller.ts';

/** With the request that the SDK itself makes of a start. */
class SdkStarts extends TaskWorkflowClient {
  async bySdk(workflowType: string, options: WorkflowStartInput['options']): Promise<StartRequest> {
    const request = await this.createStartWorkflowRequest({ workflowType, options, headers: {} });
    return { ...request, workflowId: options.workflowId };
  }
}

const client = new SdkStarts({
  connection: Connection.lazy({ address: '127.0.0.1:9' }),
  namespace: 'here',
  dataConverter: testDataConverter,
});
const service = { client, namespace: 'here', taskQueue: 'queue' };
const caller = {
  ...testCaller('a'.repeat(32)),
  tenant: 't'.repeat(32),
  displayName: 'Ada',
  identity: { subject: 'ada' },
};
const task: NewTask = {
  tool: 'purchase_order',
  args: { vendor: 'Nordlicht Bürobedarf GmbH' },
  features: { elicitationForm: true },
  asksFirst: true,
  ttlMs: 86_400_000,
  maxTtlMs: 2_592_000_000,
  pollIntervalMs: 1_000,
  summary: 'Order from Nordlicht',
};
const seed = { taskId: 'x'.repeat(22), createdAt: 1_700_000_000_123, ttlMs: 86_400_000, pollIntervalMs: 1_000 };
const start = {
  workflowId: `mcp-task/${caller.principal}/${seed.taskId}`,
  task,
  seed,
  call: { argumentsDigest: 'digest' },
};

const snapshot = {
  ...seed,
  rev: 0,
  lastUpdatedAt: seed.createdAt,
  deadlineAt: seed.createdAt + seed.ttlMs,
  requests: {},
};
const input = {
  seed,
  args: task.args,
  caller: caller.principal,
  requestedBy: 'Ada',
  requester: { subject: 'ada' },
  features: task.features,
  maxTtlMs: task.maxTtlMs,
  asksFirst: true,
  acts: true,
};
const options: WorkflowStartInput['options'] = {
  workflowId: start.workflowId,
  taskQueue: 'queue',
  args: [input],
  memo: { task: snapshot, call: start.call },
  typedSearchAttributes: new TypedSearchAttributes([
    { key: principalAttribute, value: caller.principal },
    { key: statusAttribute, value: 'working' },
    { key: expiresAtAttribute, value: new Date(snapshot.deadlineAt) },
  ]),
  workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
  workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  priority: { fairnessKey: caller.tenant },
  workflowExecutionTimeout: { seconds: (task.maxTtlMs + 7 * 86_400_000) / 1_000, nanos: 0 } as never,
  staticSummary: 'Order from Nordlicht',
};

type Fields = Readonly<Record<string, Payload>>;

const { StartWorkflowExecutionRequest: Message } = proto.temporal.api.workflowservice.v1;
/** What is left out of a message has its default. */
const WRITTEN = { defaults: true, longs: String, bytes: String, enums: String };

/** What is secret in it, opened; and all else, as Temporal reads it. */
async function opened({ input, memo, userMetadata, requestId: _, ...clear }: StartRequest) {
  const { task: taskMemo, call } = (memo?.fields ?? {}) as Fields;
  const payloads = [input?.payloads?.[0], taskMemo, call, userMetadata?.summary];
  return {
    isEncrypted: payloads.map((payload) => Buffer.from(payload?.metadata?.['encoding'] ?? '').toString()),
    secrets: await Promise.all(payloads.map((payload) => client.decode(payload))),
    clear: Message.toObject(Message.decode(Message.encode(clear).finish()), WRITTEN),
  };
}

describe('the request that starts a task', () => {
  it('is that of the SDK, with all that is secret encrypted', async () => {
    const [ours, sdks] = await Promise.all([
      startRequest(service, caller, start).then(opened),
      client.bySdk('purchase_order', options).then(opened),
    ]);
    expect(ours.isEncrypted).toEqual(['binary/encrypted', 'binary/encrypted', 'binary/encrypted', 'binary/encrypted']);
    expect(ours.secrets).toEqual(sdks.secrets);
    expect(ours.secrets).toEqual([input, snapshot, start.call, 'Order from Nordlicht']);
    expect({ ...ours.clear, header: { fields: {} } }).toEqual(sdks.clear);
  });

  it('says nothing that a task does not have', async () => {
    const { summary: _, asksFirst: __, ...bare } = task;
    const request = await startRequest(service, testCaller('b'.repeat(32)), { ...start, task: bare });
    expect(request).not.toHaveProperty('userMetadata');
    const value = await client.decode(request.input?.payloads?.[0]);
    expect(Object.keys(value as object).toSorted()).toEqual(
      ['acts', 'args', 'caller', 'features', 'maxTtlMs', 'seed'].toSorted(),
    );
  });

  it('is one start, and another one each time it is made or begins again', async () => {
    const request = await startRequest(service, caller, start);
    const next = again(request);
    const { requestId, workflowIdReusePolicy, ...same } = next;
    expect(request).toMatchObject(same);
    expect(workflowIdReusePolicy).not.toBe(request.workflowIdReusePolicy);
    const other = await startRequest(service, caller, start);
    expect(new Set([request.requestId, requestId, other.requestId]).size).toBe(3);
  });
});
