/**
 * The principal key is replaced: for as long as the former one stands in the ring behind it, whatever was given out under
 * that is good; then nothing of it is. One worker, a front for each ring, one caller.
 */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { FolderBlobStore } from '../../store/folder-blobs.ts';
import { eventually } from '../support/eventually.ts';
import { post, type RpcAnswer, type RpcResult } from '../support/mcp-request.ts';
import { plainCall } from '../support/plain-call.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, anAskingCall, openProduct, ordersOf, type Product } from '../support/product.ts';
import { createTaskClient, questionsOf, type TaskClient } from '../support/task-client.ts';

const [OLD, NEW] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
/** More than a page. */
const FILE_COUNT = 101;
const TASK_COUNT = 21;
const IDEMPOTENCY = { idempotencyKey: 'order-7' };

let product: Product;
/** With the ring [NEW, OLD], and with NEW alone. */
let both: RoleProcess;
let newest: RoleProcess;
let client: TaskClient;

/** What was given out under OLD. */
let waitingId: string;
let orderedId: string;
let requestState: unknown;
let cursor: string | undefined;
let fileUri: string;

beforeAll(async () => {
  product = await openProduct();
  const before = await product.startFront({ PRINCIPAL_KEY: OLD });
  await product.startWorker();
  const former = createTaskClient(before.url);
  orderedId = await former.create('purchase_order', aCall(), IDEMPOTENCY);
  fileUri = fileUriIn(await former.until(orderedId, ['completed'], 20_000));
  waitingId = await former.create('purchase_order', anAskingCall());
  await former.until(waitingId, ['input_required'], 20_000);
  for (let count = 2; count < TASK_COUNT; count += 1) await former.create('purchase_order', anAskingCall());
  requestState = (await held(before, 'one who is asked')).result.requestState;
  const page = await eventually(async () => {
    const { structuredContent } = await call(before, 'my_tasks', {});
    return structuredContent['nextCursor'] !== undefined && structuredContent;
  }, 20_000);
  cursor = page['nextCursor'] as string;
  await before.end();
  both = await product.startFront({ PRINCIPAL_KEY: `${NEW},${OLD}` });
  client = former.over(both.url);
}, 120_000);

/** A call of a client that is asked in rounds. */
async function held(front: RoleProcess, vendor: string, more: object = {}): Promise<RpcAnswer> {
  const params = { name: 'purchase_order', arguments: { ...anAskingCall(), vendor }, ...more };
  return (await post(`${front.url}/mcp`, plainCall(params))).body;
}

async function call(front: RoleProcess, name: string, args: object): Promise<RpcResult> {
  const { body, text } = await post(`${front.url}/mcp`, plainCall({ name, arguments: args }));
  if (body.error !== undefined) throw new Error(text);
  return body.result;
}

function fileUriIn(task: object): string {
  return /task:\/\/[^"]+/.exec(JSON.stringify(task))?.[0] ?? '';
}

async function resource(front: RoleProcess, uri: string): Promise<RpcAnswer> {
  return (await post(`${front.url}/mcp`, { method: 'resources/read', params: { uri } })).body;
}

async function listedUris(front: RoleProcess): Promise<readonly string[]> {
  const uris: string[] = [];
  let params = {};
  for (;;) {
    const { result } = (await post(`${front.url}/mcp`, { method: 'resources/list', params })).body;
    uris.push(...result.resources.map(({ uri }) => uri));
    if (result.nextCursor === undefined) return uris;
    params = { cursor: result.nextCursor };
  }
}

describe('with the former key behind the new one', () => {
  it('a task is read, and waits where it stood', async () => {
    expect(await client.get(orderedId)).toMatchObject({ status: 'completed' });
    expect(Object.keys(questionsOf(await client.get(waitingId)))).toHaveLength(1);
  });

  it('a call under an idempotency key is still the same call, and orders nothing more', async () => {
    const repeated = await client.call('purchase_order', aCall(), IDEMPOTENCY);
    expect(repeated).toMatchObject({ result: { structuredContent: { taskId: orderedId } } });
    expect(await ordersOf(product.erp, orderedId)).toEqual({ live: 1, voided: 0 });
    const other = client.call('purchase_order', aCall({ costCentre: '2100' }), IDEMPOTENCY);
    await expect(other).rejects.toThrow(/idempotency key/i);
  });

  it('a multi round trip goes on', async () => {
    const asked = await held(both, 'one who is asked', { requestState });
    const [key = ''] = Object.keys(asked.result.inputRequests as object);
    const inputResponses = { [key]: { action: 'accept', content: { costCentre: '1100' } } };
    const done = await held(both, 'one who is asked', { requestState: asked.result.requestState, inputResponses });
    expect(done.result.structuredContent).toMatchObject({ vendor: 'one who is asked', status: 'posted' });
  }, 60_000);

  it('the pages of my_tasks go on', async () => {
    const { isError, structuredContent } = await call(both, 'my_tasks', { cursor });
    expect(isError).toBeUndefined();
    expect(structuredContent['tasks']).not.toEqual([]);
  });

  it('a file is read', async () => {
    expect((await resource(both, fileUri)).result.contents).toHaveLength(1);
  });

  it('all files are listed once, also over a page that ends under the former key', async () => {
    const later = await client.create('purchase_order', aCall());
    const laterUri = fileUriIn(await client.until(later, ['completed'], 20_000));
    const folder = join(product.env['DATA_DIR'] ?? '', 'blobs');
    const blobs = new FolderBlobStore(folder);
    const caller = await ownerOf(folder, orderedId);
    const added: string[] = [];
    for (let index = 0; index < FILE_COUNT; index += 1) {
      const name = `more-${String(index)}.txt`;
      await blobs.put({ caller, taskId: orderedId }, { name, mimeType: 'text/plain', bytes: Buffer.from('x') });
      added.push(`task://${orderedId}/${name}`);
    }
    const uris = await listedUris(both);
    expect(new Set(uris).size).toBe(uris.length);
    expect(uris).toEqual(expect.arrayContaining([laterUri, fileUri, ...added]));
  }, 60_000);

  it('a task is answered, and ends', async () => {
    await client.accept(waitingId, { costCentre: '1100' });
    expect(await client.until(waitingId, ['completed'], 20_000)).toMatchObject({ taskId: waitingId });
  });
});

describe('with the new key alone', () => {
  beforeAll(async () => {
    newest = await product.startFront({ PRINCIPAL_KEY: NEW });
  }, 60_000);

  it('nothing of the former key is there any more', async () => {
    const only = client.over(newest.url);
    await expect(only.get(orderedId)).rejects.toThrow(/No such task/);
    await expect(only.cancel(waitingId)).rejects.toThrow(/No such task/);
    expect((await resource(newest, fileUri)).error?.code).toBe(-32602);
    expect((await held(newest, 'one who is asked', { requestState })).error?.code).toBe(-32602);
    expect((await call(newest, 'my_tasks', { cursor })).isError).toBe(true);
    expect((await listedUris(newest)).filter((uri) => uri.includes(orderedId))).toEqual([]);
  });

  it('an idempotency key begins anew, and what came since stays', async () => {
    const only = client.over(newest.url);
    const again = await only.create('purchase_order', aCall(), IDEMPOTENCY);
    expect(again).not.toBe(orderedId);
    await only.until(again, ['completed'], 20_000);
    expect(await client.get(again)).toMatchObject({ status: 'completed' });
  });
});

/** The folder of the caller to whom the task's files belong. */
async function ownerOf(folder: string, taskId: string): Promise<string> {
  for (const caller of await readdir(folder)) {
    if ((await readdir(join(folder, caller))).includes(taskId)) return caller;
  }
  throw new Error(`Task ${taskId} has no files.`);
}
