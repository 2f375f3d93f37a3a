/** A call that has started a task and ends without naming it: no key leads there, so the task must not go on. */
import { describe, expect, it } from '@jest/globals';
import { elicitation, flag } from '../../../protocol/form.ts';
import { PayloadTooLarge } from '../../../server/task-store.ts';
import { eventually } from '../../support/eventually.ts';
import { startTestStdio, type TestStdio } from '../../support/test-stdio.ts';

const QUESTION = { 'q-1': elicitation('Really?', { sure: flag() }) };
const YES = { action: 'accept', content: { sure: true } };
const CALL = { name: 'order', arguments: { vendor: 'V' } };
const KEYED = { ...CALL, arguments: { ...CALL.arguments, idempotencyKey: 'k-1' } };

/** A client of 2025-11-25 with forms whose call is held. */
async function holdCall(params: object): Promise<{ stdio: TestStdio; taskId: string }> {
  const stdio = startTestStdio({ fallbackBudgetMs: 20_000 });
  const hello = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'x', version: '1' },
  };
  stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'initialize', params: hello }));
  await stdio.answer('a');
  stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 'b', method: 'tools/call', params }));
  await eventually(() => stdio.store.watcherCount === 1);
  return { stdio, taskId: [...stdio.store.entries.keys()][0]! };
}

/** The client answers the task's question with what the store does not take. */
async function answerInVain({ stdio, taskId }: { stdio: TestStdio; taskId: string }): Promise<unknown> {
  stdio.store.ask(taskId, QUESTION);
  const { id } = await eventually(() => stdio.frames().find(({ method }) => method === 'elicitation/create') ?? false);
  stdio.store.nextError = new PayloadTooLarge('The answers are too large.');
  stdio.write(JSON.stringify({ jsonrpc: '2.0', id, result: YES }));
  return (await stdio.answer('b')).error?.message;
}

describe('a held call whose question came to nothing', () => {
  it('takes its task with it when the answer cannot be delivered', async () => {
    const call = await holdCall(CALL);
    expect(await answerInVain(call)).toBe('The answers are too large.');
    expect(call.stdio.store.entries.get(call.taskId)?.cancelReason).toBe(
      'its call ended in an error that does not name it',
    );
  });

  it('leaves a task that its key finds again', async () => {
    const call = await holdCall(KEYED);
    expect(await answerInVain(call)).toBe('The answers are too large.');
    expect(call.stdio.store.entries.get(call.taskId)?.cancelReason).toBeUndefined();
  });

  it.each(['before it is put', 'while it is open'])(
    'takes its task with it when the connection breaks %s',
    async (when) => {
      const { stdio, taskId } = await holdCall(CALL);
      const isOpen = when === 'while it is open';
      if (isOpen) {
        stdio.store.ask(taskId, QUESTION);
        await eventually(() => stdio.frames().some(({ method }) => method === 'elicitation/create'));
      }
      stdio.output.destroy(new Error('write EPIPE'));
      if (!isOpen) stdio.store.ask(taskId, QUESTION);
      await eventually(() => stdio.store.entries.get(taskId)?.cancelReason !== undefined);
    },
  );
});
