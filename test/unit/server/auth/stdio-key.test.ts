/** An API key over stdio is asked about at each message, as over HTTP. */
import { describe, expect, it } from '@jest/globals';
import type { CredentialFault } from '../../../../server/auth/credential.ts';
import type { Caller } from '../../../../server/caller.ts';
import { elicitation, flag } from '../../../../protocol/form.ts';
import { eventually } from '../../../support/eventually.ts';
import { CALLER } from '../../../support/test-front.ts';
import { startTestStdio, type TestStdio } from '../../../support/test-stdio.ts';

const REVOKED: CredentialFault = { kind: 'invalid', text: 'The API key is not valid here.', reason: 'revoked' };
const AWAY: CredentialFault = { kind: 'unavailable', text: 'Not now.', retryAfterMs: 5_000, cause: undefined };
const ORDER = { name: 'order', arguments: { vendor: 'Nordlicht' } };

interface KeyedStdio extends TestStdio {
  /** What is wrong with the key from now on. */
  fault: CredentialFault | undefined;
}

function startKeyed(more: Partial<Caller> = {}): KeyedStdio {
  const caller = { ...CALLER, scopes: new Set(['tasks:read', 'tasks:write']), ...more };
  const keyed: KeyedStdio = {
    ...startTestStdio({ fallbackBudgetMs: 20_000 }, undefined, { caller, askKey: async () => keyed.fault }),
    fault: undefined,
  };
  return keyed;
}

async function listenTo(stdio: TestStdio): Promise<{ id: number; taskId: string }> {
  const { result } = await stdio.answer(stdio.send('tools/call', ORDER));
  const taskId = String(result?.['taskId']);
  const id = stdio.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
  await eventually(() => stdio.store.watcherCount === 1);
  return { id, taskId };
}

describe('a key over stdio', () => {
  it.each(['tools/list', 'tasks/get', 'subscriptions/listen', 'ping'])(
    'that is good no longer is refused at %s, in the words of HTTP',
    async (method) => {
      const stdio = startKeyed();
      await stdio.answer(stdio.send('tools/list'));
      stdio.fault = REVOKED;
      const params = { taskId: 'A'.repeat(22), notifications: { taskIds: [] } };
      const { error } = await stdio.answer(stdio.send(method, params));
      expect(error).toEqual({ code: -32600, message: 'The API key is not valid here.' });
    },
  );

  it('that nobody can check is refused for now, and its subscription goes on', async () => {
    const stdio = startKeyed();
    const { taskId } = await listenTo(stdio);
    stdio.fault = AWAY;
    const get = async (): Promise<unknown> => (await stdio.answer(stdio.send('tasks/get', { taskId }))).error;
    expect(await get()).toEqual({ code: -32603, message: 'Not now.' });
    stdio.fault = undefined;
    expect(await get()).toBeUndefined();
    expect(stdio.store.watcherCount).toBe(1);
  });

  it('that expires ends its subscription with the result, and leaves the task alone', async () => {
    const stdio = startKeyed({ expiresAt: Date.now() + 1_000 });
    const { id, taskId } = await listenTo(stdio);
    expect((await stdio.answer(id)).result).toMatchObject({ resultType: 'complete' });
    expect(stdio.store.watcherCount).toBe(0);
    expect((await stdio.store.get(CALLER, taskId)).status).toBe('working');
  });

  it('that is good no longer answers nothing that the server asked', async () => {
    const stdio = startKeyed();
    stdio.store.onCreated = (taskId) => stdio.store.ask(taskId, { 'q-1': elicitation('Really?', { sure: flag() }) });
    const clientInfo = { name: 'x', version: '1' };
    const hello = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'initialize', params: hello }));
    await stdio.answer('a');
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'b', method: 'tools/call', params: ORDER }));
    const { id } = await eventually(
      () => stdio.frames().find(({ method }) => method === 'elicitation/create') ?? false,
    );
    const [entry] = stdio.store.entries.values();
    const yes = JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'accept', content: { sure: true } } });
    stdio.fault = REVOKED;
    stdio.write(yes);
    stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'c', method: 'ping' }));
    await stdio.answer('c');
    expect(entry?.delivered).toEqual([]);
    stdio.fault = undefined;
    stdio.write(yes);
    await eventually(() => entry?.delivered.length === 1);
  });
});
