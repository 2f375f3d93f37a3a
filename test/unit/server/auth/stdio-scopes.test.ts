/** What an API key over stdio may do is what it was granted, as over HTTP. */
import { describe, expect, it } from '@jest/globals';
import { createCatalog, defineTool, toolResult } from '../../../../workflows/tool.ts';
import { CALLER } from '../../../support/test-front.ts';
import { startTestStdio, type TestStdio } from '../../../support/test-stdio.ts';
import { verifies } from '../../../support/verifies.ts';

const catalog = createCatalog([
  defineTool({
    name: 'place_order',
    title: 'Place an order',
    description: 'Places an order.',
    task: 'never',
    scopes: ['orders:write'],
    input: (z) => z.object({}),
    run: async () => toolResult('ordered'),
  }),
]);

function stdioWith(...scopes: readonly string[]): TestStdio {
  return startTestStdio({}, catalog, { caller: { ...CALLER, scopes: new Set(scopes) } });
}
const refused = (scopes: string): object => ({ code: -32600, message: `This needs the scope ${scopes}.` });

describe('a key over stdio', () => {
  it('calls a tool with all scopes of it, and is told of them without one', async () => {
    verifies('tools.validate');
    const [all, base] = [stdioWith('tasks:write', 'orders:write'), stdioWith('tasks:read', 'tasks:write')];
    const call = { name: 'place_order', arguments: {} };
    expect((await all.answer(all.send('tools/call', call))).result).toMatchObject({ content: [{ text: 'ordered' }] });
    expect((await base.answer(base.send('tools/call', call))).error).toEqual(refused('tasks:write and orders:write'));
  });

  it('reads with the scope of reading alone, and does nothing else with it', async () => {
    const stdio = stdioWith('tasks:read');
    const taskId = 'A'.repeat(22);
    expect((await stdio.answer(stdio.send('tasks/get', { taskId }))).error?.code).toBe(-32602);
    for (const method of ['tasks/cancel', 'tasks/update', 'tools/call']) {
      const params = { taskId, inputResponses: {}, name: 'unknown' };
      expect((await stdio.answer(stdio.send(method, params))).error).toEqual(refused('tasks:write'));
    }
    const writer = stdioWith('tasks:write');
    const listen = writer.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    expect((await writer.answer(listen)).error).toEqual(refused('tasks:read'));
  });
});
