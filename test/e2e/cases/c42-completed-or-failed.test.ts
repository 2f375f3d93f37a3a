/**
 * C42: completed, failed, `isError`, and what leaks. A tool's no is `completed` with `isError`; what would have been a
 * JSON-RPC error is `failed` with it; the plain call and the task answer alike.
 *
 * An ERP that is dead or answers 503: test/integration/purchase-order.test.ts; one that answers 503 to a post, of which the
 * outcome is learnt first: test/unit/activities/erp.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createdBefore } from '../../support/created-tasks.ts';
import { post, type McpAnswer } from '../../support/mcp-request.ts';
import { createTaskClient, questionsOf, type TaskClient } from '../../support/task-client.ts';
import { openTemporal } from '../../support/temporal.ts';
import { openCaseServer, type CaseServer } from './support/case-server.ts';
import { verifies } from '../../support/verifies.ts';
import { nothingForStrangers } from './support/strangers.ts';

const WITHIN_MS = 15_000;
const LEAKS = /postgres|db\.internal|u:p@|\bat .*\.(ts|js):\d|\/test\/|node_modules|Error:/;

let server: CaseServer;
let url = '';
let client: TaskClient;

beforeAll(async () => {
  server = await openCaseServer();
  const [front] = await Promise.all([server.startFront(), server.startWorker()]);
  url = `${front.url}/mcp`;
  client = createTaskClient(front.url);
}, 60_000);

const callPlainly = (how: string): Promise<McpAnswer> =>
  post(url, { method: 'tools/call', params: { name: 'end_with', arguments: { how, asTask: false } } });

/** `tasks/get` as it stands on the wire, once the task has ended. */
async function endedTask(how: string): Promise<McpAnswer> {
  const taskId = await client.create('end_with', { how, asTask: true });
  await client.until(taskId, ['completed', 'failed', 'cancelled'], WITHIN_MS);
  return post(url, { method: 'tasks/get', params: { taskId } });
}

describe('the no of a tool with an output schema', () => {
  it.each([
    ['a rejection', 'The supplier refused the order.'],
    ['a rejection by an activity', 'The vendor is blocked.'],
  ])('is completed with isError, as %s', async (how, text) => {
    const result = { content: [{ type: 'text', text }], isError: true, resultType: 'complete' };
    const plain = await callPlainly(how);
    expect(plain.body.result).toMatchObject(result);
    expect(plain.body.result).not.toHaveProperty('structuredContent');
    const { body } = await endedTask(how);
    expect(body.result).toMatchObject({ resultType: 'complete', status: 'completed', result });
    expect(body.result.result).not.toHaveProperty('structuredContent');
    expect(body.result).not.toHaveProperty('error');
  });
});

describe('what would have been a JSON-RPC error', () => {
  it('is failed with its code, message and data', async () => {
    verifies('get.failed', 'get.same-answer');
    const error = { code: -31555, message: 'No such quota.', data: { quota: 3 } };
    expect((await callPlainly('a protocol fault')).body.error).toEqual(error);
    const { body } = await endedTask('a protocol fault');
    expect(body.result).toMatchObject({
      resultType: 'complete',
      status: 'failed',
      statusMessage: error.message,
      error,
    });
    expect(body.result).not.toHaveProperty('result');
  });

  it('is failed with a fixed text that names the task and nothing else, when nobody foresaw it', async () => {
    verifies('error.standard');
    const plain = await callPlainly('an unexpected throw');
    expect(plain.body.error).toEqual({
      code: -32603,
      message: expect.stringMatching(/^Internal error while running task [\w-]{22}\. Quote this id to the operator/),
    });
    const task = await endedTask('an unexpected throw');
    const { taskId } = task.body.result;
    const message = `Internal error while running task ${taskId}. Quote this id to the operator of this server.`;
    expect(task.body.result).toMatchObject({
      status: 'failed',
      statusMessage: message,
      error: { code: -32603, message },
    });
    expect(plain.text + task.text).not.toMatch(LEAKS);
  });

  it('is no task at all for a tool that is unknown', async () => {
    const answer = await post(url, { method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } });
    expect(answer.body.error).toEqual({
      code: -32602,
      message: 'Unknown tool. tools/list names the tools of this server.',
    });
    const { client: temporal } = await openTemporal();
    const marker = await client.create('work_for', { ms: 0 });
    await createdBefore(temporal, server.taskQueue, marker);
    const types = new Set<string>();
    const listed = temporal.workflow.list({ query: `TaskQueue = "${server.taskQueue}"` });
    for await (const { type } of listed) types.add(type);
    expect(types).not.toContain('no_such_tool');
  });
});

describe('a question after the task exists', () => {
  it('is shown as inputRequests and never as a result, and each state answers complete', async () => {
    verifies('get.input-required');
    const taskId = await client.create('end_with', { how: 'a late question', asTask: true });
    const asking = await client.until(taskId, ['input_required'], WITHIN_MS);
    const onWire = await post(url, { method: 'tasks/get', params: { taskId } });
    expect(onWire.body.result).toMatchObject({ resultType: 'complete', status: 'input_required' });
    expect(onWire.body.result).not.toHaveProperty('result');
    expect(onWire.body.result).not.toHaveProperty('error');
    const [key = ''] = Object.keys(questionsOf(asking));
    await client.answer(taskId, { [key]: { action: 'accept', content: { yes: true } } });
    await client.until(taskId, ['completed'], WITHIN_MS);
    const done = await post(url, { method: 'tasks/get', params: { taskId } });
    expect(done.body.result).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { resultType: 'complete', structuredContent: { value: 1 } },
    });
  });

  it('answers complete when the task is working and when it is cancelled', async () => {
    const taskId = await client.create('work_for', { ms: 15_000 });
    const working = await post(url, { method: 'tasks/get', params: { taskId } });
    expect(working.body.result).toMatchObject({ resultType: 'complete', status: 'working' });
    await client.cancel(taskId);
    await client.until(taskId, ['cancelled'], WITHIN_MS);
    const cancelled = await post(url, { method: 'tasks/get', params: { taskId } });
    expect(cancelled.body.result).toMatchObject({ resultType: 'complete', status: 'cancelled' });
  });
});

nothingForStrangers(() => server);
