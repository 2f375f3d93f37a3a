/**
 * C25: `__proto__` and its kin, in every place where a request has names. Nothing is read from a prototype, nothing stays
 * behind for a later request.
 *
 * The pure checks: test/unit/protocol/answer-check.test.ts and test/unit/server/http-bodies.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, headersOf, post, type McpAnswer, type McpRequest } from '../../support/mcp-request.ts';
import { createTaskClient, questionsOf, resultOf, type TaskClient } from '../../support/task-client.ts';
import { openCaseServer } from './support/case-server.ts';
import { updateRaw } from './support/raw-answer.ts';

const ENDS_WITHIN_MS = 20_000;
const APPROVE = '{"action":"accept","content":{"approve":true}}';

let origin = '';
let client: TaskClient;

beforeAll(async () => {
  const server = await openCaseServer();
  const [front] = await Promise.all([server.startFront(), server.startWorker()]);
  origin = front.url;
  client = createTaskClient(origin);
}, 60_000);

async function asked(): Promise<{ taskId: string; key: string }> {
  const taskId = await client.create('ask_form', { form: 'approve' });
  const [key = ''] = Object.keys(questionsOf(await client.until(taskId, ['input_required'], ENDS_WITHIN_MS)));
  return { taskId, key };
}

const codeOf = ({ status, body }: McpAnswer): unknown[] => [status, body.error?.code];

/** `request` with `member`, raw JSON, put in front of everything else that `"params":{` holds. */
function sendWith(request: McpRequest, place: string, member: string): Promise<McpAnswer> {
  const rawBody = bodyOf(request).replace(place, () => `${place}${member},`);
  return post(`${origin}/mcp`, { ...request, rawBody, headers: headersOf(request) });
}

describe('an answer', () => {
  it.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'])(
    'under the key %s is acknowledged and changes nothing',
    async (name) => {
      const { taskId } = await asked();
      const before = await client.get(taskId);
      const { status, body } = await updateRaw(origin, taskId, `{"${name}":${APPROVE}}`);
      expect([status, body.result.resultType]).toEqual([200, 'complete']);
      expect(await client.get(taskId)).toEqual(before);
    },
  );

  it.each<[string, (key: string) => string]>([
    ['under the key __proto__', () => `{"__proto__":${APPROVE}}`],
    ['under that key, spelled with an escape', () => `{"\\u005f_proto__":${APPROVE}}`],
    [
      'whose content is in a __proto__',
      (key) => `{"${key}":{"action":"accept","content":{"__proto__":{"approve":true}}}}`,
    ],
    ['that is in a __proto__ itself', (key) => `{"${key}":{"__proto__":${APPROVE}}}`],
  ])('%s is refused whole and approves nothing', async (_where, responses) => {
    const { taskId, key } = await asked();
    const before = await client.get(taskId);
    expect(codeOf(await updateRaw(origin, taskId, responses(key)))).toEqual([400, -32600]);
    expect(await client.get(taskId)).toEqual(before);
  });

  it('with what it needs in a constructor is asked again', async () => {
    const { taskId, key } = await asked();
    const content = '{"constructor":{"approve":true,"prototype":{"approve":true}}}';
    await updateRaw(origin, taskId, `{"${key}":{"action":"accept","content":${content}}}`);
    const [request] = Object.values(questionsOf(await client.until(taskId, ['input_required'], ENDS_WITHIN_MS)));
    expect(request?.params['message']).toMatch(/approve is missing/);
  });
});

describe('a name', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype'];

  it.each(NAMES)('of a task: %s is not found', async (taskId) => {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const answer = await post(`${origin}/mcp`, { method, params: { taskId, inputResponses: {} } });
      expect(codeOf(answer)).toEqual([200, -32602]);
    }
  });

  it.each(NAMES)('of a tool: %s is unknown', async (name) => {
    const call = { method: 'tools/call', params: { name, arguments: {} } };
    for (const capabilities of [undefined, {}]) {
      expect(codeOf(await post(`${origin}/mcp`, { ...call, capabilities }))).toEqual([200, -32602]);
    }
  });

  it.each(NAMES)('of a method: %s does not exist', async (method) => {
    expect(codeOf(await post(`${origin}/mcp`, { method }))).toEqual([404, -32601]);
  });
});

describe('arguments and capabilities', () => {
  const call: McpRequest = { method: 'tools/call', params: { name: 'ask_form', arguments: { form: 'approve' } } };
  const two: McpRequest = { method: 'tools/call', params: { name: 'ask_two', arguments: {} }, capabilities: {} };

  it('in a __proto__ are refused whole', async () => {
    const sent = await Promise.all([
      sendWith(call, '"arguments":{', '"__proto__":{"admin":true}'),
      sendWith(call, '"params":{', '"__proto__":{"name":"greet"}'),
      sendWith(two, '"_meta":{', '"__proto__":{"admin":true}'),
      post(`${origin}/mcp`, {
        ...two,
        rawBody: bodyOf(two).replace(
          /("io.modelcontextprotocol\/clientCapabilities":)\{\}/,
          '$1{"__proto__":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}',
        ),
      }),
    ]);
    expect(sent.map(codeOf)).toEqual(sent.map(() => [400, -32600]));
  });

  it('in a constructor declare nothing and do nothing', async () => {
    const capabilities = { constructor: { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } };
    expect(codeOf(await post(`${origin}/mcp`, { ...two, capabilities }))).toEqual([400, -32021]);
    const member = '"constructor":{"prototype":{"admin":true}}';
    const { body } = await sendWith(call, '"arguments":{', member);
    expect([body.result.isError, body.result.content[0].text]).toEqual([
      true,
      expect.stringMatching(/constructor is not a known argument/),
    ]);
  });
});

it('after all of that, a question is asked, missed and answered as ever', async () => {
  const { taskId, key } = await asked();
  await updateRaw(origin, taskId, `{"${key}":{}}`);
  const again = await client.until(taskId, ['input_required'], ENDS_WITHIN_MS);
  const [key2 = ''] = Object.keys(questionsOf(again));
  expect(key2).not.toBe(key);
  await updateRaw(origin, taskId, `{"${key2}":${APPROVE}}`);
  const ended = await client.until(taskId, ['completed'], ENDS_WITHIN_MS);
  expect(resultOf(ended).structuredContent).toEqual({ action: 'accept', content: { approve: true } });
  const undeclared = await post(`${origin}/mcp`, { method: 'tasks/get', params: { taskId }, capabilities: {} });
  expect(codeOf(undeclared)).toEqual([400, -32021]);
});
