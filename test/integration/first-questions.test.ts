/** What a tool asks first, put to the 2025-11-25 client over HTTP: two fronts behind a round robin, one workflow. */
import { fileURLToPath } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CallToolResultSchema, type CallToolResult, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { roundRobin, type Balancer } from '../support/balancers.ts';
import { startBenchFront } from '../support/bench-front.ts';
import { connectOlderClient, overHttp } from '../support/older-client.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { BREAKFAST, catalog, NIGHTS } from './first-questions-tools.ts';

let bench: TaskBench;
beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./first-questions-workflows.ts', import.meta.url)), {});
  await bench.startWorker();
}, 60_000);

const accept = (content: Record<string, string | number | boolean>): ElicitResult => ({ action: 'accept', content });
const textOf = ({ content }: CallToolResult): string => (content[0]?.type === 'text' ? content[0].text : '');
const BLUE = { name: 'book', arguments: { room: 'blue' } };

let urls: readonly string[];
let balancer: Balancer;
beforeEach(async () => {
  const fronts = await Promise.all([
    startBenchFront(bench, catalog),
    startBenchFront({ ...bench, store: bench.secondStore() }, catalog),
  ]);
  urls = fronts.map(({ url }) => url);
  balancer = roundRobin(urls);
});

/** `asked`: what it was asked, in order. `answer` of each question, the first time and the times after. */
async function connect(
  answer: (message: string, time: number) => ElicitResult,
): Promise<{ readonly client: Client; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const client = await connectOlderClient(overHttp(urls[0] ?? '', balancer.fetch), {
    onElicit(message) {
      asked.push(message);
      return answer(message, asked.length);
    },
  });
  return { client, asked };
}
async function call(client: Client, params: typeof BLUE): Promise<CallToolResult> {
  return (await client.callTool(params, CallToolResultSchema, { timeout: 30_000 })) as CallToolResult;
}
const sensibly = (message: string): ElicitResult =>
  message === NIGHTS ? accept({ nights: 2 }) : accept({ breakfast: true });

describe('a held call of the 2025-11-25 client', () => {
  it('is asked in as many rounds as it takes, answers to either front, and gets the result of one task', async () => {
    const { client, asked } = await connect(sensibly);
    const [taskId = '', args = ''] = textOf(await call(client, BLUE)).split(' ');
    expect(JSON.parse(args)).toEqual({ room: 'blue', nights: 2, breakfast: true });
    expect(asked).toEqual([NIGHTS, BREAKFAST]);
    expect((await bench.get(taskId)).status).toBe('completed');
    const holder = balancer.taken.find(({ what }) => what === 'tools/call')?.front;
    const answered = balancer.taken.filter(({ what }) => what === 'response').map(({ front }) => front);
    expect(answered).toHaveLength(2);
    expect(answered).toContain(holder === 0 ? 1 : 0);
  }, 60_000);

  it('is not asked what it passed', async () => {
    const { client, asked } = await connect(sensibly);
    const passed = { ...BLUE, arguments: { room: 'blue', nights: 1 } };
    expect(textOf(await call(client, passed))).toContain('{"room":"blue","nights":1}');
    expect(asked).toEqual([]);
  }, 60_000);

  it('is asked again, and told why, when an answer does not fit', async () => {
    const { client, asked } = await connect((_, time) => accept({ nights: time === 1 ? 'two' : 1 }));
    expect(textOf(await call(client, BLUE))).toContain('"nights":1');
    expect(asked).toEqual([NIGHTS, expect.stringMatching(/could not be used: .*nights.* How many nights\?$/)]);
  }, 60_000);

  it('gets an error when it declines, or when the tool says no, and nothing runs', async () => {
    const declining = await connect(() => ({ action: 'decline' }));
    const declined = await call(declining.client, BLUE);
    expect([declined.isError, textOf(declined)]).toEqual([true, expect.stringMatching(/^Nothing was started: /)]);
    expect(declining.asked).toEqual([NIGHTS]);
    const cancelling = await connect(() => ({ action: 'cancel' }));
    const cancelled = await call(cancelling.client, BLUE);
    expect([cancelled.isError, textOf(cancelled)]).toEqual([true, 'Nothing was booked.']);
  }, 60_000);

  it('that cannot be asked gets an error that names the argument to pass', async () => {
    const client = await connectOlderClient(overHttp(urls[0] ?? '', balancer.fetch));
    const refused = await call(client, BLUE);
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      expect.stringMatching(/needs nights, .*Pass it as an argument/),
    ]);
  }, 60_000);
});

describe('a task of the 2025-11-25 client', () => {
  it('is asked while tasks/result is open, once, though its body goes on in a second run', async () => {
    const { client, asked } = await connect(sensibly);
    const params = { name: 'book_in_two_runs', arguments: {} };
    const options = { timeout: 30_000, task: {} };
    const stream = client.experimental.tasks.callToolStream(params, CallToolResultSchema, options);
    const kinds: string[] = [];
    let said = '';
    for await (const message of stream) {
      kinds.push(message.type);
      if (message.type === 'error') throw message.error;
      if (message.type === 'result') said = textOf(message.result);
    }
    expect([kinds[0], kinds.at(-1), said]).toEqual(['taskCreated', 'result', 'nights: undefined']);
    expect(asked).toEqual([NIGHTS]);
  }, 60_000);
});
