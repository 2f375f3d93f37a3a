/**
 * C32: `Mcp-Name` and its neighbours in all their forms, with two tasks of one caller: who is named in the header and who
 * in the body. What disagrees is refused before either task is touched.
 *
 * Each header alone on a front without Temporal: test/unit/server/http-headers.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DetailedTask } from '../../../protocol/task.ts';
import { bodyOf, headerLinesOf, type McpRequest, post } from '../../support/mcp-request.ts';
import { rawHttp, rawPost, statusOf } from '../../support/raw-http.ts';
import { createTaskClient, questionsOf, type TaskClient } from '../../support/task-client.ts';
import { verifies } from '../../support/verifies.ts';
import { openCaseServer } from './support/case-server.ts';

const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];
const ENDS_WITHIN_MS = 20_000;

let origin = '';
let client: TaskClient;
let named: DetailedTask;
let other: DetailedTask;

beforeAll(async () => {
  const server = await openCaseServer();
  const [front] = await Promise.all([server.startFront(), server.startWorker()]);
  origin = front.url;
  client = createTaskClient(origin);
  [named, other] = await Promise.all([waiting(), waiting()]);
}, 60_000);

async function waiting(): Promise<DetailedTask> {
  return client.until(await client.create('ask_two', {}), ['input_required'], ENDS_WITHIN_MS);
}

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** Would answer the first question of the task in the body, or cancel that task. */
function request(method: string, headers: McpRequest['headers']): McpRequest {
  const [key = ''] = Object.keys(questionsOf(named));
  const inputResponses = { [key]: { action: 'accept', content: { yes: true } } };
  return {
    method,
    params: { taskId: named.taskId, ...(method === 'tasks/update' ? { inputResponses } : {}) },
    headers,
  };
}

async function expectRefused(method: string, headers: McpRequest['headers']): Promise<void> {
  const { status, body } = await post(`${origin}/mcp`, request(method, headers));
  expect({ headers, answer: [status, body.error?.code] }).toEqual({ headers, answer: [400, -32020] });
}

async function expectUntouched(): Promise<void> {
  expect(await client.get(named.taskId)).toEqual(named);
  expect(await client.get(other.taskId)).toEqual(other);
}

describe.each(METHODS)('on %s', (method) => {
  it.each<[string, (taskId: string) => string | undefined]>([
    ['that is no base64', () => '=?base64?!!!?='],
    ['that is empty base64', () => '=?base64??='],
    ['with an upper-case marker', (taskId) => base64(taskId).replace('base64', 'BASE64')],
    ['with a marker that does not end', (taskId) => base64(taskId).slice(0, -2)],
    ['encoded twice', (taskId) => base64(base64(taskId))],
    ['that is missing', () => undefined],
    ['that is empty', () => ''],
    ['of another own task', () => other.taskId],
    ['of another own task, in base64', () => base64(other.taskId)],
    ['in another case', (taskId) => (taskId === taskId.toLowerCase() ? taskId.toUpperCase() : taskId.toLowerCase())],
    ['of the method', () => method],
  ])('a name %s is refused and touches neither task', async (_how, nameOf) => {
    verifies('http.headers');
    await expectRefused(method, { 'mcp-name': nameOf(named.taskId) });
    await expectUntouched();
  });

  it('a name that is sent twice is refused, equal or not, and touches neither task', async () => {
    const sent = request(method, {});
    const lines = headerLinesOf(sent);
    for (const second of [named.taskId, other.taskId, base64(named.taskId)]) {
      const text = await rawHttp(origin, rawPost(origin, [...lines, `MCP-NAME: ${second}`], bodyOf(sent)));
      expect([statusOf(text), text.includes('-32020')]).toEqual([400, true]);
    }
    await expectUntouched();
  });

  it('a method or version that the body does not say is refused and touches neither task', async () => {
    await expectRefused(method, { 'mcp-method': `T${method.slice(1)}` });
    await expectRefused(method, { 'mcp-method': method.replace('/', '/ ') });
    await expectRefused(method, { 'mcp-method': METHODS.find((candidate) => candidate !== method) });
    await expectRefused(method, { 'mcp-method': undefined });
    await expectRefused(method, { 'mcp-protocol-version': '2025-11-25' });
    await expectRefused(method, { 'mcp-protocol-version': undefined });
    await expectUntouched();
  });
});

it('the right name in base64, and headers in any case of their names, are served', async () => {
  for (const headers of [
    { 'mcp-name': base64(named.taskId) },
    { 'mcp-name': undefined, 'MCP-NAME': named.taskId },
    { 'mcp-method': undefined, 'Mcp-METHOD': 'tasks/get' },
  ]) {
    const { status, body } = await post(`${origin}/mcp`, request('tasks/get', headers));
    expect([status, body.result.taskId]).toEqual([200, named.taskId]);
  }
  await post(`${origin}/mcp`, request('tasks/update', { 'mcp-name': base64(named.taskId) }));
  const answered = await client.get(named.taskId);
  expect([Object.keys(questionsOf(answered)).length, await client.get(other.taskId)]).toEqual([1, other]);
  await post(`${origin}/mcp`, request('tasks/cancel', { 'mcp-name': base64(named.taskId) }));
  await client.until(named.taskId, ['cancelled'], ENDS_WITHIN_MS);
  expect(await client.get(other.taskId)).toEqual(other);
});

it('a tool name with a space travels in base64 or as it is, and is unknown either way', async () => {
  for (const name of ['two words', ' padded ', 'Büro']) {
    const answer = await post(`${origin}/mcp`, {
      method: 'tools/call',
      params: { name, arguments: {} },
      headers: { 'mcp-name': base64(name) },
    });
    expect([answer.status, answer.body.error?.code]).toEqual([200, -32602]);
  }
  const plain = { method: 'tools/call', params: { name: 'two words', arguments: {} } };
  const { status, body } = await post(`${origin}/mcp`, { ...plain, headers: { 'mcp-name': 'two words' } });
  expect([status, body.error?.code]).toEqual([200, -32602]);
});
