/** Which workflows exist on a task queue, for tests that prove that a refused call made none. */
import type { Client } from '@temporalio/client';
import { eventually } from './eventually.ts';

/**
 * Task ids on `taskQueue`, without `marker`: a task that was created after all calls in question. Visibility lags, and
 * what it shows of the last one it shows of the earlier ones.
 */
export async function createdBefore(client: Client, taskQueue: string, marker: string): Promise<readonly string[]> {
  return eventually(async () => {
    const ids: string[] = [];
    const listed = client.workflow.list({ query: `TaskQueue = "${taskQueue}"` });
    for await (const { workflowId } of listed) ids.push(workflowId.split('/').at(-1) ?? '');
    if (!ids.includes(marker)) throw new Error(`Task ${marker} is not to be seen yet.`);
    return ids.filter((id) => id !== marker);
  }, 10_000);
}

/** Answers, each time, with the tasks that came into being since the last time; `createMarker` makes one more. */
export function trackCreated(
  client: Client,
  taskQueue: string,
  createMarker: () => Promise<string>,
): () => Promise<readonly string[]> {
  const known = new Set<string>();
  return async () => {
    const marker = await createMarker();
    const all = await createdBefore(client, taskQueue, marker);
    const fresh = all.filter((id) => !known.has(id));
    for (const id of [...all, marker]) known.add(id);
    return fresh;
  };
}
