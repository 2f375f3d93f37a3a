/** `initialize` where it is an error, and where it is none, at both doors. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROTOCOL_VERSION } from '../../../protocol/extension.ts';
import { namingVersions } from '../../../server/handshake-error.ts';
import { envelope, type McpAnswer } from '../../support/mcp-request.ts';
import { CALLER, startTestFront, type TestFront } from '../../support/test-front.ts';
import { startTestStdio, type StdioFrame, type TestStdio } from '../../support/test-stdio.ts';

const VERSIONS = [PROTOCOL_VERSION, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];
const NAMED = { supported: VERSIONS };
const TEXT = new RegExp(`${PROTOCOL_VERSION}, which needs no initialize, .* 2025-11-25, 2025-06-18`);

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());

const hello = (protocolVersion: unknown): Readonly<Record<string, unknown>> => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
});
const message = (params: object): object => ({ jsonrpc: '2.0', id: 'a', method: 'initialize', params });

async function overHttp(params: object, version?: string): Promise<McpAnswer> {
  return front.post({
    method: 'initialize',
    rawBody: JSON.stringify(message(params)),
    headers: { 'mcp-protocol-version': version, ...(version === undefined ? { 'mcp-method': undefined } : {}) },
  });
}
async function overStdio(stdio: TestStdio, params: object): Promise<StdioFrame> {
  stdio.write(JSON.stringify(message(params)));
  return stdio.answer('a');
}

describe('initialize in an envelope of the revision without it', () => {
  const inEnvelope = { ...hello(PROTOCOL_VERSION), _meta: envelope() };

  it('over HTTP is 404 and -32601, and names the versions', async () => {
    const { status, body, headers } = await overHttp(inEnvelope, PROTOCOL_VERSION);
    expect([status, body.id, body.error]).toEqual([
      404,
      'a',
      { code: -32601, message: expect.stringMatching(TEXT), data: NAMED },
    ]);
    expect(headers.get('mcp-session-id')).toBeNull();
  });

  it('over stdio is -32601, and names the versions', async () => {
    const { error } = await overStdio(startTestStdio(), inEnvelope);
    expect(error).toEqual({ code: -32601, message: expect.stringMatching(TEXT), data: NAMED });
  });
});

describe('initialize with the version header of the revision without it', () => {
  it('is 400 and -32020, and names the versions', async () => {
    const { status, body } = await overHttp(hello(PROTOCOL_VERSION), PROTOCOL_VERSION);
    expect([status, body.error]).toEqual([
      400,
      { code: -32020, message: expect.stringMatching(TEXT), data: expect.objectContaining(NAMED) },
    ]);
  });
});

describe('initialize without a version', () => {
  it('names the versions in its error, over HTTP and over stdio', async () => {
    const { body } = await overHttp(hello(7));
    expect(body.error).toMatchObject({ message: expect.stringMatching(TEXT), data: NAMED });
    const { error } = await overStdio(startTestStdio(), hello(7));
    expect(error).toMatchObject({ message: expect.stringMatching(TEXT), data: NAMED });
  });
});

describe('a plain initialize that names the revision without it', () => {
  it('begins a connection of the newest revision that has it, over HTTP and over stdio', async () => {
    const { body, headers } = await overHttp(hello(PROTOCOL_VERSION));
    expect(body.result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(headers.get('mcp-session-id')).toEqual(expect.any(String));
    const { result } = await overStdio(startTestStdio(), hello(PROTOCOL_VERSION));
    expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
  });
});

describe('initialize on a stdio connection of the revision without it', () => {
  it('is -32022, and the connection stays what it was: tasks are still listened to', async () => {
    const stdio = startTestStdio();
    await stdio.answer(stdio.send('tools/list'));
    const { error } = await overStdio(stdio, hello('2025-11-25'));
    expect(error).toMatchObject({ code: -32022, data: { supported: [PROTOCOL_VERSION], requested: '2025-11-25' } });
    const times = { ttlMs: 60_000, maxTtlMs: 60_000, pollIntervalMs: 1_000 };
    const features = { elicitationForm: false };
    const { task } = await stdio.store.create(CALLER, { tool: 'order', args: {}, features, ...times });
    const id = stdio.send('subscriptions/listen', { notifications: { taskIds: [task.taskId] } });
    stdio.store.finishWithText(task.taskId, 'done');
    expect((await stdio.answer(id)).result).toMatchObject({ resultType: 'complete' });
    const heard = stdio.frames().filter(({ method }) => method === 'notifications/tasks');
    expect(heard.at(-1)?.params).toMatchObject({ taskId: task.taskId, status: 'completed' });
  });
});

describe('namingVersions', () => {
  it('leaves alone what names versions already, and data of another shape', () => {
    for (const data of [{ supported: ['x'] }, ['x'], 'x']) {
      const error = { code: -32600, message: 'No.', data };
      expect(namingVersions(error)).toBe(error);
    }
  });

  it('keeps code and data, and ends the sentence before', () => {
    const named = namingVersions({ code: -32602, message: 'Bad envelope', data: { envelope: 'x' } });
    expect(named).toMatchObject({ code: -32602, data: { envelope: 'x', supported: VERSIONS } });
    expect(named.message).toMatch(/^Bad envelope\. This server serves /);
  });
});
