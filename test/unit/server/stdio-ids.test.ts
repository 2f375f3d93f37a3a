/** The ids of requests over stdio, by which their answers and their cancels are told apart. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { envelope } from '../../support/mcp-request.ts';
import { startTestStdio, type TestStdio } from '../../support/test-stdio.ts';

const ORDER = { name: 'order', arguments: { vendor: 'Nordlicht' } };

async function createTask(stdio: TestStdio): Promise<string> {
  const { result } = await stdio.answer(stdio.send('tools/call', ORDER));
  return String(result?.['taskId']);
}

describe('a connection over stdio', () => {
  it.each(['a subscription', 'a held call'])(
    'refuses the id of %s that is open, and does not answer under that id',
    async (what) => {
      const stdio = startTestStdio({ fallbackBudgetMs: 60_000 });
      const [method, params, capabilities] =
        what === 'a held call'
          ? ['tools/call', ORDER, {}]
          : ['subscriptions/listen', { notifications: { taskIds: [await createTask(stdio)] } }];
      const request = { jsonrpc: '2.0', id: 'twice', method, params: { ...params, _meta: envelope(capabilities) } };
      for (let count = 0; count < 3; count += 1) stdio.write(JSON.stringify(request));
      const refused = await eventually(() => {
        const errors = stdio.frames().filter(({ error }) => error !== undefined);
        return errors.length === 2 && errors;
      });
      expect(refused.map(({ id, error }) => [id, error?.code])).toEqual([
        [undefined, -32600],
        [undefined, -32600],
      ]);
      expect(refused[0]?.error?.message).toMatch(/^The id "twice" is that of a request that is still open\./);
      await eventually(() => stdio.store.entries.size === 1);
      expect(stdio.store.watcherCount).toBeLessThanOrEqual(1);
    },
  );

  it('takes an id again once its request is over, be it cancelled or answered', async () => {
    const stdio = startTestStdio();
    const params = { notifications: { taskIds: [await createTask(stdio)] }, _meta: envelope() };
    const listen = JSON.stringify({ jsonrpc: '2.0', id: 'again', method: 'subscriptions/listen', params });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'again' } };
    stdio.write(listen);
    await eventually(() => stdio.store.watcherCount === 1);
    stdio.write(JSON.stringify(cancel));
    await eventually(() => stdio.store.watcherCount === 0);
    stdio.write(listen);
    await eventually(() => stdio.store.watcherCount === 1);
    stdio.store.finishWithText([...stdio.store.entries.keys()][0]!, 'done');
    await stdio.answer('again');
    stdio.write(listen);
    await eventually(() => stdio.frames().filter(({ id }) => id === 'again').length === 2);
    expect(stdio.frames().filter(({ error }) => error !== undefined)).toEqual([]);
  });
});
