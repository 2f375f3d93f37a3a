/** A tool that wants a scope of its own, from a token to its result: real tokens, real HTTP, real workflows. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { createGate } from '../../../server/auth/gate.ts';
import { createJwtVerifier } from '../../../server/auth/jwt-verifier.ts';
import { createProtectedResource } from '../../../server/auth/protected-resource.ts';
import { createLog } from '../../../server/log.ts';
import { callerOf } from '../../../server/principal.ts';
import { startBenchFront } from '../../support/bench-front.ts';
import { freePort } from '../../support/free-port.ts';
import { bearer, post, type McpAnswer } from '../../support/mcp-request.ts';
import { connectOlderClient, overHttp } from '../../support/older-client.ts';
import { openTaskBench, type TaskBench } from '../../support/task-bench.ts';
import { createSignedInClient, resultOf, textOf } from '../../support/task-client.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';
import { verifies } from '../../support/verifies.ts';
import { catalog } from './scoped-tools.ts';

const AUDIENCE = 'https://host.test/mcp';
const WITHIN_MS = 20_000;
const KEY = Buffer.alloc(32, 7);
const ALL = 'tasks:read tasks:write orders:write';

let bench: TaskBench;
let issuer: TokenIssuer;
let origin: string;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  [bench, issuer] = await Promise.all([
    openTaskBench(fileURLToPath(new URL('./scoped-workflows.ts', import.meta.url)), {}),
    startTokenIssuer({ audience: AUDIENCE }),
  ]);
  const mcpUrl = new URL(`http://127.0.0.1:${String(port)}/mcp`);
  const gate = createGate({
    verifiers: [createJwtVerifier({ issuer: issuer.url, audience: AUDIENCE })],
    principalRing: [KEY],
    resource: createProtectedResource({ mcpUrl, resource: AUDIENCE, issuer: issuer.url }),
    log: createLog('silent'),
  });
  ({ url } = await startBenchFront(bench, catalog, { port }, gate));
  ({ origin } = new URL(url));
  await bench.startWorker();
}, 60_000);

const tokenWith = (scope: string): Promise<string> => issuer.token({ claims: { scope } });
const params = (isConfirmed: boolean): object => ({ name: 'place_order', arguments: { isConfirmed } });

/** As MCP 2025-11-25 writes it. */
async function sendOlder(token: string, message: object): Promise<McpAnswer> {
  const older = { 'mcp-protocol-version': '2025-11-25', 'mcp-method': undefined, 'mcp-name': undefined };
  const rawBody = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
  return post(url, { method: '', rawBody, headers: { ...older, ...bearer(token) } });
}

function expectChallenge({ status, headers, body }: McpAnswer): void {
  const text = 'This needs the scope tasks:write and orders:write.';
  expect([status, body.error?.message]).toEqual([403, text]);
  const challenge = headers.get('www-authenticate');
  expect(challenge).toContain(`resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`);
  expect(challenge).toContain('scope="tasks:write orders:write", error="insufficient_scope"');
}

async function openTasks(): Promise<number> {
  const caller = callerOf([KEY], { issuer: issuer.url, subject: 'ada' }, { scopes: 'all' });
  return bench.store.countOpen(caller);
}

describe('a call without the scope of its tool', () => {
  it.each(['tasks:read tasks:write', 'tasks:read orders:write', 'tasks:read', ''])(
    'is told of all that it needs, in both dialects, and starts nothing: granted %j',
    async (scope) => {
      verifies('auth.scope');
      const token = await tokenWith(scope);
      const call = { method: 'tools/call', params: { ...params(false) } };
      expectChallenge(await post(url, { ...call, headers: bearer(token) }));
      expectChallenge(await sendOlder(token, call));
      expectChallenge(await sendOlder(token, { ...call, params: { ...call.params, task: {} } }));
      expect(await openTasks()).toBe(0);
    },
  );

  it('sees the tool in the list', async () => {
    const { body } = await post(url, { method: 'tools/list', headers: bearer(await tokenWith('')) });
    expect(body.result.tools.map(({ name }) => name)).toEqual(['place_order']);
  });
});

describe('a call with it', () => {
  it('runs, and whoever may write the task answers it', async () => {
    const caller = createSignedInClient(await tokenWith(ALL), origin);
    const taskId = await caller.create('place_order', { isConfirmed: false });
    await caller.until(taskId, ['input_required'], WITHIN_MS);
    // The scope is for calling the tool. Its task is the subject's, as any other.
    const other = createSignedInClient(await tokenWith('tasks:read tasks:write'), origin);
    await other.accept(taskId, { place: true });
    expect(textOf(resultOf(await other.until(taskId, ['completed'], WITHIN_MS)))).toBe('ordered');
  }, 60_000);

  it('runs for the client of the older dialect, held and as a task', async () => {
    const token = await tokenWith(ALL);
    const signedIn: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      return fetch(input, { ...init, headers });
    };
    const client = await connectOlderClient(overHttp(url, signedIn));
    const held = await client.callTool(params(true) as Parameters<typeof client.callTool>[0]);
    expect(held.content).toMatchObject([{ text: 'ordered' }]);
    const { body } = await sendOlder(token, { method: 'tools/call', params: { ...params(true), task: {} } });
    const { taskId } = (body.result as unknown as { task: { taskId: string } }).task;
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema, { timeout: WITHIN_MS });
    expect(result.content).toMatchObject([{ text: 'ordered' }]);
  }, 60_000);
});
