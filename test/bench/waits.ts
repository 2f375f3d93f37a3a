/** How long a call of a tool waits: for the budget when the job is long, for its question when it has one. */
import { callAsking, callTool, taskIdIn } from './bench-tasks.ts';
import type { McpDoor } from './mcp-door.ts';

/** In ms, one call after the other. */
export async function measureBudgetWaits(door: McpDoor, count: number): Promise<readonly number[]> {
  return timed(count, async () => taskIdIn(await callTool(door, 'slow_compute', { seconds: 10 })));
}

/** In ms, one call after the other; the first ones warm the worker and do not count. */
export async function measureQuestionWaits(door: McpDoor, count: number): Promise<readonly number[]> {
  const ask = async (): Promise<unknown> => taskIdIn(await callAsking(door));
  await timed(3, ask);
  return timed(count, ask);
}

async function timed(count: number, run: () => Promise<unknown>): Promise<readonly number[]> {
  const durationsMs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    await run();
    durationsMs.push(performance.now() - startedAt);
  }
  return durationsMs;
}
