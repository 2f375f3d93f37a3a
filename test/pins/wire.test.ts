/** Words of the wire, literally: changing one is a breaking change for some client. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import * as extension from '../../protocol/extension.ts';
import * as legacyTasks from '../../protocol/legacy-tasks.ts';
import { SERVER_INFO } from '../../server/server-info.ts';
import { startTestFront, type TestFront } from '../support/test-front.ts';
import { verifies } from '../support/verifies.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());

describe('protocol/extension.ts', () => {
  it('holds the names of the specification and our own', () => {
    verifies('env.codes');
    const { TASK_ID_PATTERN, ...words } = extension;
    expect(words).toEqual({
      SPEC_COMMIT: 'e434597',
      TASKS_EXTENSION: 'io.modelcontextprotocol/tasks',
      PROTOCOL_VERSION: '2026-07-28',
      TASKS_GET: 'tasks/get',
      TASKS_UPDATE: 'tasks/update',
      TASKS_CANCEL: 'tasks/cancel',
      SUBSCRIPTIONS_LISTEN: 'subscriptions/listen',
      LISTEN_ACKNOWLEDGED: 'notifications/subscriptions/acknowledged',
      TASKS_NOTIFICATION: 'notifications/tasks',
      META_PREFIX: 'io.github.durable-mcp-tasks',
      IDEMPOTENCY_KEY_META: 'io.github.durable-mcp-tasks/idempotencyKey',
      METHOD_NOT_FOUND: -32601,
      INVALID_PARAMS: -32602,
      INTERNAL_ERROR: -32603,
      MISSING_CAPABILITY: -32021,
      IDEMPOTENCY_CONFLICT: -31001,
      TOO_MANY_SUBSCRIPTIONS: -31002,
      TOO_MANY_CALLS: -31003,
      TOO_MANY_POLLS: -31004,
      TOO_MANY_OPEN_TASKS: -31005,
      TOO_MANY_ANSWERS: -31006,
      TOO_MANY_FILES: -31007,
    });
    expect(TASK_ID_PATTERN.source).toBe('^[A-Za-z0-9_-]{22}$');
    const { TOO_MANY_CALLS, TOO_MANY_POLLS, TOO_MANY_OPEN_TASKS, TOO_MANY_ANSWERS, TOO_MANY_FILES } = words;
    const limits = [TOO_MANY_CALLS, TOO_MANY_POLLS, TOO_MANY_OPEN_TASKS, TOO_MANY_ANSWERS, TOO_MANY_FILES];
    const own = [words.IDEMPOTENCY_CONFLICT, words.TOO_MANY_SUBSCRIPTIONS, ...limits];
    expect(own.filter((code) => code >= -32_768 && code <= -32_000)).toEqual([]);
  });
});

describe('protocol/legacy-tasks.ts', () => {
  it('holds the names of 2025-11-25', () => {
    const { TASKS_RESULT, TASKS_LIST, TASK_STATUS_NOTIFICATION, RELATED_TASK_META } = legacyTasks;
    expect([TASKS_RESULT, TASKS_LIST]).toEqual(['tasks/result', 'tasks/list']);
    expect(TASK_STATUS_NOTIFICATION).toBe('notifications/tasks/status');
    expect(RELATED_TASK_META).toBe('io.modelcontextprotocol/related-task');
  });
});

describe('the wire', () => {
  it('advertises the extension as an empty object, and no notification that is never sent', async () => {
    verifies('cap.advertise', 'env.discover');
    const { body } = await front.post({ method: 'server/discover' });
    expect(body.result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
      ttlMs: 60_000,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
    });
  });

  it('names the version of the package', async () => {
    const { name, version } = JSON.parse(await readFile('package.json', 'utf8')) as { name: string; version: string };
    expect([SERVER_INFO.name, SERVER_INFO.version]).toEqual([name, version]);
  });

  it('lists tools in the order of the catalog, with schemas of draft 2020-12, cacheable in private', async () => {
    verifies('cache.hints', 'tools.order');
    const { body } = await front.post({ method: 'tools/list' });
    expect(body.result.tools.map((tool) => tool.name)).toEqual([
      'greet',
      'order',
      'required_job',
      'asking_job',
      'routed',
    ]);
    expect([body.result.cacheScope, body.result.ttlMs]).toEqual(['private', 60_000]);
    expect(body.result.tools[0]).toEqual({
      name: 'greet',
      title: 'Greet',
      description: 'Says hello.',
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
    });
    const cursor = await front.post({ method: 'tools/list', params: { cursor: 'x' } });
    expect(cursor.body.error?.code).toBe(-32602);
  });

  it.each(['tasks/list', 'tasks/result', 'prompts/list', 'logging/setLevel'])(
    'does not know %s: 404',
    async (method) => {
      verifies('env.method');
      const { status, body } = await front.post({ method });
      expect([status, body.error?.code]).toEqual([404, -32601]);
    },
  );

  it.each(['server/discover', 'tools/list', 'resources/list', 'resources/templates/list'])(
    'answers %s with a result and never with a task',
    async (method) => {
      verifies('create.tools-call', 'create.result-type-only', 'env.result-type');
      const { body } = await front.post({ method });
      expect(body.result.resultType).toBe('complete');
      expect(body.result._meta).toEqual({ 'io.modelcontextprotocol/serverInfo': SERVER_INFO });
    },
  );

  it('offers older revisions their own tasks, and not the extension', async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const response = await fetch(front.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
    const text = await response.text();
    const tasks = '"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}';
    expect(text).toContain(`"capabilities":{"tools":{},"resources":{},${tasks}}`);
  });

  it.each([
    [undefined],
    [{}],
    [{ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }],
    [{ 'io.modelcontextprotocol/clientCapabilities': {} }],
    [{ 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': 'all' }],
  ])('refuses the envelope %j, which lacks what it must hold', async (_meta) => {
    verifies('env.meta');
    const { status, body } = await front.post({
      method: 'tools/list',
      rawBody: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }),
    });
    expect([status, body.error?.code, body.id]).toEqual([400, -32602, 1]);
  });
});
