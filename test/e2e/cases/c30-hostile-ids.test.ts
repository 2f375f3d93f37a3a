/**
 * C30: a taskId that is some other workflow, and hostile ids. Each is the one not-found, nothing of it comes back, and no
 * workflow that is not a task of this caller is touched.
 *
 * Other callers' tasks: c01-lost-response.test.ts and test/integration/task-store.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { createdBefore } from '../../support/created-tasks.ts';
import { headerValue, post } from '../../support/mcp-request.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { anAskingCall, openProduct, type Product } from '../../support/product.ts';
import { createTaskClient, questionsOf, type TaskClient } from '../../support/task-client.ts';
import { openTemporal } from '../../support/temporal.ts';
import { verifies } from '../../support/verifies.ts';
import { nothingForStrangers } from './support/strangers.ts';

const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];
const NOT_FOUND =
  'No such task. The taskId is unknown or has expired, or the task belongs to another caller. Call the tool again.';

let product: Product;
let front: RoleProcess;
let client: TaskClient;
let temporal: Client;
let taskId: string;
/** Workflows that are no tasks of this caller, by what they are. */
const traps: Record<string, string> = {};

beforeAll(async () => {
  product = await openProduct();
  ({ client: temporal } = await openTemporal());
  [front] = await Promise.all([product.startFront(), product.startWorker()]);
  client = createTaskClient(front.url);
  taskId = await client.create('purchase_order', anAskingCall());
  await client.until(taskId, ['input_required'], 20_000);
  const own = await workflowIdOf(String(product.env['TASK_QUEUE']));
  const ownFolder = own.slice(0, -taskId.length);
  const bySuffix = randomBytes(16).toString('base64url');
  const workflowIds = {
    'a housekeeping workflow': `housekeeping-${bySuffix}`,
    'a child of an own task': `${own}/child`,
    'a workflow of another type in the place of a task': `${ownFolder}${bySuffix}`,
    'a task of another caller': `mcp-task/${'f'.repeat(32)}/${bySuffix}`,
  };
  for (const [what, workflowId] of Object.entries(workflowIds)) {
    await temporal.workflow.start('housekeeping', { workflowId, taskQueue: 'nobody-polls-here' });
    traps[what] = workflowId;
  }
}, 60_000);

async function workflowIdOf(taskQueue: string): Promise<string> {
  await createdBefore(temporal, taskQueue, taskId);
  for await (const { workflowId } of temporal.workflow.list({ query: `TaskQueue = "${taskQueue}"` })) return workflowId;
  throw new Error('The task is not to be seen.');
}

async function expectNotFound(id: unknown, name = typeof id === 'string' ? headerValue(id) : undefined): Promise<void> {
  for (const method of METHODS) {
    const answer = await post(`${front.url}/mcp`, {
      method,
      params: { taskId: id, ...(method === 'tasks/update' ? { inputResponses: { x: { action: 'cancel' } } } : {}) },
      headers: { 'mcp-name': name },
    });
    expect([answer.status, answer.body.error]).toEqual([200, { code: -32602, message: NOT_FOUND }]);
    expect([...answer.headers.keys()]).not.toContain('x-y');
  }
}

describe('the id of another workflow', () => {
  it.each([
    'a housekeeping workflow',
    'a child of an own task',
    'a workflow of another type in the place of a task',
    'a task of another caller',
  ])('is not found for %s, whole or in part, and that workflow is not touched', async (what) => {
    verifies('sec.authorize');
    const workflowId = traps[what] ?? '';
    await expectNotFound(workflowId);
    await expectNotFound(workflowId.split('/').at(-1));
    await expectNotFound(workflowId.split('/').slice(-2).join('/'));
    const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
    expect(events?.map(({ eventId }) => Number(eventId))).toEqual([1, 2]);
  });
});

describe('an id that is almost that of an own task', () => {
  it('is not found, and the task goes on waiting', async () => {
    verifies('get.unknown', 'update.unknown', 'cancel.unknown');
    const before = await client.get(taskId);
    const almost = [
      taskId.toLowerCase() === taskId ? taskId.toUpperCase() : taskId.toLowerCase(),
      `${taskId} `,
      ` ${taskId}`,
      `${taskId}/${randomBytes(16).toString('hex')}`,
      `${taskId}=`,
      taskId.slice(0, -1),
      `../${taskId}`,
      [...taskId].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
    ];
    for (const id of almost) await expectNotFound(id);
    expect(await client.get(taskId)).toEqual(before);
    expect(Object.keys(questionsOf(before))).toHaveLength(1);
  });
});

describe('a hostile id', () => {
  it.each(['', 'x'.repeat(5_000), '../../x', 'a\r\nX-Y: z', 'a\u0000', '\u001b[31m', "' OR 1=1", '__proto__'])(
    'is not found and not repeated: %j',
    async (id) => {
      await expectNotFound(id);
    },
  );

  it.each([7, {}, [], null, true, undefined])('is not found when it is no text: %j', async (id) => {
    await expectNotFound(id);
  });

  it('is not found when it is a list of the one that is', async () => {
    await expectNotFound([taskId]);
  });

  it('leaves nothing of itself in the log', () => {
    expect(front.output()).not.toMatch(/X-Y: z|\u0000|\u001b\[31m/);
  });
});

nothingForStrangers(() => product);
