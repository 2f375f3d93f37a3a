/** What a 2025-11-25 client is asked over HTTP while its call is held. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { askingCatalog } from '../../support/asking-catalog.ts';
import { eventually } from '../../support/eventually.ts';
import { ACCEPT, delivered, onlyTask, QUESTION, WORK } from '../../support/held-question.ts';
import { connectOlderClient, overHttp } from '../../support/older-client.ts';
import { CALLER, startTestFront, type TestFront } from '../../support/test-front.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront({ fallbackBudgetMs: 10_000 }, askingCatalog);
});
afterAll(async () => front.front.drain());
beforeEach(() => {
  front.store.entries.clear();
  front.store.onCreated = () => undefined;
});

describe('a question on the stream of a held request', () => {
  /** A client that notes what it is asked and what is withdrawn. */
  async function connect(onElicit: () => ElicitResult | Promise<ElicitResult>): Promise<{
    readonly client: Awaited<ReturnType<typeof connectOlderClient>>;
    readonly withdrawn: () => number;
    readonly asked: () => number;
  }> {
    const counts = { asked: 0, withdrawn: 0 };
    const client = await connectOlderClient(overHttp(front.url), { onElicit });
    client.setRequestHandler(ElicitRequestSchema, (_, { signal }) => {
      counts.asked += 1;
      signal.addEventListener('abort', () => (counts.withdrawn += 1));
      return onElicit();
    });
    return { client, asked: () => counts.asked, withdrawn: () => counts.withdrawn };
  }

  it('is put once while a plain call is held, and its answer goes into the task', async () => {
    front.store.onCreated = (taskId) => front.store.ask(taskId, QUESTION);
    const { client, asked } = await connect(() => ACCEPT);
    const held = client.callTool(WORK);
    await eventually(() => delivered(front).length === 1);
    front.store.finishWithText(onlyTask(front), 'done');
    expect((await held).content).toEqual([{ type: 'text', text: 'done' }]);
    expect([delivered(front), asked()]).toEqual([[{ 'q-1': ACCEPT }], 1]);
  });

  it('is withdrawn when somebody else answers it', async () => {
    front.store.onCreated = (taskId) => front.store.ask(taskId, QUESTION);
    const { client, asked, withdrawn } = await connect(() => new Promise(() => undefined));
    const held = client.callTool(WORK);
    await eventually(() => asked() === 1);
    await front.store.deliver(CALLER, onlyTask(front), { 'q-1': ACCEPT });
    await eventually(() => withdrawn() === 1);
    front.store.finishWithText(onlyTask(front), 'done');
    expect((await held).content).toEqual([{ type: 'text', text: 'done' }]);
  });

  it('is not put to a client that did not declare it', async () => {
    front.store.onCreated = (taskId) => front.store.ask(taskId, QUESTION);
    const client = await connectOlderClient(overHttp(front.url));
    const held = client.callTool(WORK);
    await eventually(() => front.store.watcherCount === 1);
    front.store.finishWithText(onlyTask(front), 'done');
    expect((await held).content).toEqual([{ type: 'text', text: 'done' }]);
    expect(delivered(front)).toEqual([]);
  });
});
