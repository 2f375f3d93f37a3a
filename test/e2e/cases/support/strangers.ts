/** Whatever a case is about, nothing of its tasks is there for another caller. */
import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '../../../support/eventually.ts';
import { listen } from '../../../support/listen-client.ts';
import { post } from '../../../support/mcp-request.ts';
import type { Product } from '../../../support/product.ts';
import { openTemporal } from '../../../support/temporal.ts';
import { verifies } from '../../../support/verifies.ts';
import type { CaseServer } from './case-server.ts';

const MAX_LOOKED_AT = 10;
const LISTED_WITHIN_MS = 15_000;

/** The last test of a file: it looks at what those before it have left. */
export function nothingForStrangers(system: () => Product | CaseServer): void {
  it('shows, changes and tells nothing of its tasks to another caller', async () => {
    verifies('sec.authorize');
    const shared = system();
    const taskQueue = 'env' in shared ? String(shared.env['TASK_QUEUE']) : shared.taskQueue;
    // Under another key the same user is another principal.
    const { url } = await shared.startFront({ PRINCIPAL_KEY: randomBytes(32).toString('hex') });
    const taskIds = await eventually(async () => {
      const ids = await newestTaskIds(taskQueue);
      return ids.length > 0 && ids;
    }, LISTED_WITHIN_MS);
    const never = await seenOf(url, randomBytes(16).toString('base64url'));
    for (const taskId of taskIds) expect(await seenOf(url, taskId)).toEqual(never);
  }, 60_000);
}

async function newestTaskIds(taskQueue: string): Promise<readonly string[]> {
  const ids: string[] = [];
  const { client } = await openTemporal();
  for await (const { workflowId } of client.workflow.list({ query: `TaskQueue = "${taskQueue}"` })) {
    if (workflowId.startsWith('mcp-task/')) ids.push(workflowId.split('/').at(-1) ?? '');
    if (ids.length === MAX_LOOKED_AT) break;
  }
  return ids;
}

/** All that comes back, less the id. */
async function seenOf(origin: string, taskId: string): Promise<readonly string[]> {
  const url = `${origin}/mcp`;
  const seen: string[] = [];
  const inputResponses = { x: { action: 'decline' } };
  for (const [method, more] of [
    ['tasks/get', {}],
    ['tasks/update', { inputResponses }],
    ['tasks/cancel', {}],
  ] as const) {
    const { status, text } = await post(url, { method, params: { taskId, ...more } });
    seen.push(`${method} ${String(status)} ${text}`);
  }
  const stream = await listen(url, [taskId]);
  seen.push(JSON.stringify(stream.frames[0]));
  stream.close();
  await stream.ended;
  return seen.map((one) => one.replaceAll(taskId, 'the id'));
}
