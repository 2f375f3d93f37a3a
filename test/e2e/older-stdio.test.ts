/** The whole way of a client of an older revision over stdio, in lines: the official older client speaks the newest of them alone. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { openLineClient, type Frame } from '../support/line-client.ts';
import { stdioCommand } from '../support/older-client.ts';
import { openProduct, type Product } from '../support/product.ts';

let product: Product;
beforeAll(async () => {
  product = await openProduct({ env: { FALLBACK_BUDGET_MS: '500' } });
  await product.startWorker();
}, 60_000);

describe.each(['2025-06-18', '2025-11-25'])('a client of MCP %s over stdio', (protocolVersion) => {
  it('initializes, lists, is answered at once, and comes to the result of a long call by the fallback tools', async () => {
    const client = openLineClient({ ...stdioCommand(product.env), cwd: repositoryRoot });
    let lastId = 0;
    const request = async (method: string, params: object = {}): Promise<Frame> => {
      lastId += 1;
      const id = lastId;
      client.write({ jsonrpc: '2.0', id, method, params });
      return eventually(() => client.frames().find((frame) => frame.id === id) ?? false, 60_000);
    };
    const call = async (name: string, args: object): Promise<Frame['result']> =>
      (await request('tools/call', { name, arguments: args })).result;

    const clientInfo = { name: 'older', version: '1.0.0' };
    const { result: hello } = await request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    expect(hello).toMatchObject({ protocolVersion, serverInfo: { name: expect.any(String) } });
    client.write({ jsonrpc: '2.0', method: 'notifications/initialized' });

    const { tools } = (await request('tools/list')).result;
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['slow_compute', 'task_wait', 'task_result']));
    expect((await call('greet', { name: 'Ada' })).content).toEqual([{ type: 'text', text: 'Hello, Ada!' }]);

    const held = await call('slow_compute', { seconds: 5 });
    expect(held.content[0].text).toContain('Call task_wait');
    const { id } = held.structuredContent.task as { id: string };
    await eventually(async () => {
      const { structuredContent } = await call('task_wait', { id, seconds: 30 });
      expect(structuredContent.task).toMatchObject({ id, status: 'completed' });
    }, 30_000);
    const text = 'The computation is done after 5 s.';
    expect((await call('task_result', { id })).content).toEqual([{ type: 'text', text }]);
    // Nothing of the newer revision is in what they were told.
    expect(JSON.stringify(client.frames())).not.toMatch(/"resultType"|subscriptionId/);
  }, 120_000);
});
