/** The tasks on which the bench runs. */
import { setTimeout as delay } from 'node:timers/promises';
import type { McpDoor } from './mcp-door.ts';

/** An order that the policy cannot take without a question: it asks for the cost centre, and rests. */
const ASKING_ORDER = {
  vendor: 'Nordlicht Bürobedarf GmbH',
  currency: 'EUR',
  lines: [{ description: 'Office chair', quantity: '4', unitPrice: '189.90' }],
};
const READY_WITHIN_MS = 60_000;
const POLL_EVERY_MS = 100;
const CREATING_IN_FLIGHT = 16;

export interface AskingTask {
  readonly taskId: string;
  /** Of its one outstanding request. */
  readonly key: string;
}

/** What `tools/call` answers, whatever that is. */
export function callTool(door: McpDoor, name: string, args: object): Promise<Readonly<Record<string, unknown>>> {
  return door.send({ method: 'tools/call', params: { name, arguments: args } });
}

export function callAsking(door: McpDoor): Promise<Readonly<Record<string, unknown>>> {
  return callTool(door, 'purchase_order', ASKING_ORDER);
}

/** @throws when the answer is no task */
export function taskIdIn(answer: Readonly<Record<string, unknown>>): string {
  const { resultType, taskId } = answer;
  if (resultType === 'task' && typeof taskId === 'string') return taskId;
  throw new Error(`A call did not become a task: ${JSON.stringify(answer)}`);
}

export async function createAskingTasks(door: McpDoor, count: number): Promise<readonly AskingTask[]> {
  const tasks: AskingTask[] = [];
  let begun = 0;
  async function flight(): Promise<void> {
    while (begun < count) {
      begun += 1;
      const taskId = taskIdIn(await callAsking(door));
      const { inputRequests } = await until(door, taskId, 'input_required');
      const [key = ''] = Object.keys(inputRequests as object);
      tasks.push({ taskId, key });
    }
  }
  await Promise.all(Array.from({ length: CREATING_IN_FLIGHT }, flight));
  return tasks;
}

/** Longer than the default budget, so that each of them is a task. */
export async function createFinishedTasks(door: McpDoor, count: number): Promise<readonly string[]> {
  const ids = await Promise.all(
    Array.from({ length: count }, async () => taskIdIn(await callTool(door, 'slow_compute', { seconds: 2 }))),
  );
  await Promise.all(ids.map((taskId) => until(door, taskId, 'completed')));
  return ids;
}

async function until(door: McpDoor, taskId: string, status: string): Promise<Readonly<Record<string, unknown>>> {
  const endsAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const task = await door.send({ method: 'tasks/get', params: { taskId } });
    if (task['status'] === status) return task;
    if (performance.now() > endsAt) throw new Error(`Not ${status} in time: ${JSON.stringify(task)}`);
    await delay(POLL_EVERY_MS);
  }
}
