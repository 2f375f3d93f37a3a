/** A well-behaved client beside the bad ones: its task is there, unchanged, whenever it asks, and so is all else it asks for. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createMcpDoor } from '../bench/mcp-door.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/listen-client.ts';
import { bearer } from '../support/mcp-request.ts';
import { plainCall } from '../support/plain-call.ts';

export interface CalmClient {
  readonly taskId: string;
  /** Texts that stand only in what it is answered. */
  readonly own: readonly string[];
  /** Asks again and again until then. */
  stop(): Promise<{ readonly askCount: number; readonly faults: readonly string[] }>;
}

const ASK_EVERY_MS = 50;
const READY_WITHIN_MS = 30_000;
const RESTS_AS = 'input_required';
const LINES = [{ description: 'Lamp', quantity: '1', unitPrice: '9.90' }];

export async function startCalmClient(origin: string, token: string): Promise<CalmClient> {
  const door = createMcpDoor(origin, 2);
  const headers = bearer(token);
  const vendor = `Nordlicht ${randomBytes(8).toString('hex')}`;
  // A purchase order without a cost centre, which waits for one.
  const params = { name: 'purchase_order', arguments: { vendor, currency: 'EUR', lines: LINES } };
  const taskId = String((await door.send({ method: 'tools/call', params, headers }))['taskId']);
  const readTask = () => door.send({ method: 'tasks/get', params: { taskId }, headers });
  const callTool = async (name: string, args: object): Promise<string> =>
    JSON.stringify(await door.send({ ...plainCall({ name, arguments: args }), headers }));
  const ways: readonly (() => Promise<string | undefined>)[] = [
    async () => {
      const { status } = await readTask();
      return status === RESTS_AS ? undefined : `the task is ${String(status)}`;
    },
    async () => ((await callTool('greet', { name: 'Ada' })).includes('Hello, Ada!') ? undefined : 'it is not greeted'),
    async () => ((await callTool('my_tasks', {})).includes(taskId) ? undefined : 'its task is not listed'),
    async () => {
      const { tools } = await door.send({ method: 'tools/list', headers });
      return JSON.stringify(tools).includes('purchase_order') ? undefined : 'the tools are not listed';
    },
  ];

  const asked = await eventually(
    async () => ((await readTask())['inputRequests'] as object | undefined) ?? false,
    READY_WITHIN_MS,
  );
  await eventually(async () => (await callTool('my_tasks', {})).includes(taskId), READY_WITHIN_MS);
  const faults: string[] = [];
  let [askCount, isStopped] = [0, false];
  const stream = await listen(`${origin}/mcp`, [taskId], { headers });
  stream.onTask = ({ status }) => status !== RESTS_AS && faults.push(`its stream tells that the task is ${status}`);
  const listening = stream.ended.then((how) => isStopped || faults.push(`its stream is over: ${how}`));

  async function ask(): Promise<void> {
    while (!isStopped) {
      const way = ways[askCount % ways.length];
      const fault = await way?.().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      askCount += 1;
      if (fault !== undefined) faults.push(fault);
      await delay(ASK_EVERY_MS);
    }
  }

  const asking = ask();
  return {
    taskId,
    own: [vendor, ...Object.keys(asked), `"taskId":"${taskId}"`, `"id":"${taskId}"`],
    async stop() {
      isStopped = true;
      stream.close();
      await Promise.all([asking, listening]);
      await door.close();
      return { askCount, faults };
    },
  };
}
