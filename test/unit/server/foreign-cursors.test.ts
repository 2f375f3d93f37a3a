/** A cursor is its caller's: handed to somebody else it reads as one that was never given out, by every list there is. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { openGate } from '../../../server/auth/gate.ts';
import { createFront } from '../../../server/front.ts';
import { FolderBlobStore } from '../../../store/folder-blobs.ts';
import { post, type McpAnswer, type McpRequest } from '../../support/mcp-request.ts';
import { olderRequest } from '../../support/older-request.ts';
import { plainCall } from '../../support/plain-call.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testCaller } from '../../support/test-caller.ts';
import { createTestServing } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';

const [owner, stranger] = [testCaller('a'.repeat(32)), testCaller('b'.repeat(32))];
const NEVER_GIVEN = 'A'.repeat(120);
const TASK_COUNT = 21;
const FILE_COUNT = 101;

type Send = (request: McpRequest) => Promise<McpAnswer>;
let asOwner: Send;
let asStranger: Send;
beforeAll(async () => {
  const { parts, store } = createTestServing();
  const blobs = new FolderBlobStore(await temporaryFolder());
  const sizes = { ttlMs: 60_000, maxTtlMs: 60_000, pollIntervalMs: 1_000 };
  const call = { tool: 'order', args: {}, features: { elicitationForm: false }, ...sizes };
  for (const [caller, fileCount] of [
    [owner, FILE_COUNT],
    [stranger, 1],
  ] as const) {
    const taskIds: string[] = [];
    for (let count = 0; count < TASK_COUNT; count += 1) taskIds.push((await store.create(caller, call)).task.taskId);
    for (let count = 0; count < fileCount; count += 1) {
      const file = { name: `${String(count)}.txt`, mimeType: 'text/plain', bytes: Buffer.from('x') };
      await blobs.put({ caller: caller.principal, taskId: taskIds[0] ?? '' }, file);
    }
  }
  const sendAs = async (caller: typeof owner): Promise<Send> => {
    const front = createFront({ ...parts, blobs, gate: openGate(caller) });
    const url = await front.listen();
    atScopeEnd(() => front.drain());
    return (request) => post(url, request);
  };
  [asOwner, asStranger] = [await sendAs(owner), await sendAs(stranger)];
});

const params = (cursor: string | undefined): object => (cursor === undefined ? {} : { cursor });
const LISTS: Readonly<Record<string, (cursor?: string) => McpRequest>> = {
  my_tasks: (cursor) => plainCall({ name: 'my_tasks', arguments: params(cursor) }),
  'resources/list': (cursor) => ({ method: 'resources/list', params: { ...params(cursor) } }),
  'tasks/list of MCP 2025-11-25': (cursor) => olderRequest('tasks/list', params(cursor)),
};

describe.each(Object.entries(LISTS))('a cursor of %s', (_, list) => {
  it('opens for its own caller, and reads to another as one that was never given out', async () => {
    verifies('sec.authorize');
    const { result } = (await asOwner(list())).body;
    const cursor = (result.nextCursor ?? result.structuredContent['nextCursor']) as string;
    const next = await asOwner(list(cursor));
    expect([next.status, next.body.error, next.body.result.isError]).toEqual([200, undefined, undefined]);
    const seen = async (given: string): Promise<unknown> => {
      const { status, text } = await asStranger(list(given));
      return { status, text };
    };
    const never = await seen(NEVER_GIVEN);
    expect(never).toMatchObject({ text: expect.stringContaining('without a cursor') });
    expect(await seen(cursor)).toEqual(never);
  });
});
