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
