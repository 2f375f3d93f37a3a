import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { taskFileUri } from '../../../protocol/blob-ref.ts';
import { RESOURCE_NOT_FOUND_TEXT } from '../../../server/errors.ts';
import type { OutsideAct } from '../../../protocol/act.ts';
import { createFront } from '../../../server/front.ts';
import { StoreDown } from '../../../store/store-down.ts';
import { post } from '../../support/mcp-request.ts';
import { createTestServing, startTestFront, type TestFront } from '../../support/test-front.ts';

let front: TestFront;
let taskId: string;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());
beforeEach(async () => {
  await front.blobs.drop();
  const { body } = await front.call('required_job');
  taskId = body.result.taskId;
});

const put = (name: string, mimeType: string, text: string): Promise<unknown> =>
  front.blobs.put({ taskId }, { name, mimeType, bytes: Buffer.from(text) });
const read = async (uri: string): Promise<Awaited<ReturnType<TestFront['post']>>> =>
  front.post({ method: 'resources/read', params: { uri } });

describe('resources/read', () => {
  it('gives text as text and anything else in base64', async () => {
    await put('order.pdf', 'application/pdf', '%PDF');
    await put('note.txt', 'text/plain', 'Grüße');
    const pdf = taskFileUri(taskId, 'order.pdf');
    const note = taskFileUri(taskId, 'note.txt');
    expect((await read(pdf)).body.result.contents).toEqual([
      { uri: pdf, mimeType: 'application/pdf', blob: 'JVBERg==' },
    ]);
    expect((await read(note)).body.result.contents).toEqual([{ uri: note, mimeType: 'text/plain', text: 'Grüße' }]);
  });

  it('is told to the audit by whom, and which file; while that is away nobody gets one', async () => {
    const acts: OutsideAct[] = [];
    const audit = { isAway: false };
    const { parts, blobs, store } = createTestServing();
    const other = createFront({
      ...parts,
      audit: {
        append: async (act) => {
          if (audit.isAway) throw new StoreDown();
          acts.push(act);
        },
      },
    });
    const url = await other.listen();
    try {
      const task = (await post(url, { method: 'tools/call', params: { name: 'required_job', arguments: {} } })).body;
      expect(store.entries.size).toBe(1);
      const { taskId: id } = task.result;
      await blobs.put({ taskId: id }, { name: 'a.txt', mimeType: 'text/plain', bytes: Buffer.from('x') });
      const readOf = (name: string) => post(url, { method: 'resources/read', params: { uri: taskFileUri(id, name) } });
      expect((await readOf('a.txt')).body.result.contents).toHaveLength(1);
      await readOf('b.txt');
      const { principal } = parts.caller;
      const about = JSON.stringify(['a.txt', 'digest of a.txt', principal, 'mcp']);
      const data = { file: 'a.txt', digest: 'digest of a.txt', principal, in: 'mcp' };
      const by = parts.caller.displayName ?? principal;
      expect(acts).toEqual([{ taskId: id, type: 'downloaded', about, by, at: expect.any(Number), data }]);
      audit.isAway = true;
      const { error } = (await readOf('a.txt')).body;
      expect([error?.code, error?.message]).toEqual([-32603, expect.stringContaining('Try again in a few seconds.')]);
    } finally {
      await other.drain();
    }
  });

  it('finds nothing under another spelling, name, task or scheme', async () => {
    await put('order.pdf', 'application/pdf', '%PDF');
    const uri = taskFileUri(taskId, 'order.pdf');
    const hostile = [
      uri.replace('order', '%6frder'),
      uri.replace('order.pdf', '..%2forder.pdf'),
      uri.replace('order.pdf', '..'),
      `${uri}?x`,
      uri.replace('task://', 'file://'),
      uri.replace('order.pdf', 'other.pdf'),
      uri.replace('order.pdf', '%'),
      taskFileUri('AAAAAAAAAAAAAAAAAAAAAA', 'order.pdf'),
      '',
    ];
    for (const one of hostile) {
      const { status, body } = await read(one);
      expect([one, status, body.error?.code, body.error?.message]).toEqual([one, 200, -32602, RESOURCE_NOT_FOUND_TEXT]);
    }
  });

  it('finds a file only as long as its task is the caller’s and is there', async () => {
    await put('order.pdf', 'application/pdf', '%PDF');
    front.store.entries.delete(taskId);
    expect((await read(taskFileUri(taskId, 'order.pdf'))).body.error?.message).toBe(RESOURCE_NOT_FOUND_TEXT);
  });
});

describe('resources/list', () => {
  const list = async (cursor?: unknown): Promise<Awaited<ReturnType<TestFront['post']>>> =>
    front.post({ method: 'resources/list', params: cursor === undefined ? {} : { cursor } });

  it('shows every file once, page by page, while new ones come in', async () => {
    for (let index = 0; index < 150; index += 1) await put(`f${String(index)}.txt`, 'text/plain', 'x');
    const first = (await list()).body.result;
    await put('new.txt', 'text/plain', 'x');
    const second = (await list(first.nextCursor)).body.result;
    expect([first.resources.length, second.resources.length, second.nextCursor]).toEqual([100, 50, undefined]);
    const names = new Set([...first.resources, ...second.resources].map((entry) => entry.name));
    expect(names.size).toBe(150);
    expect(first.resources[0]).toEqual({
      uri: taskFileUri(taskId, 'f149.txt'),
      name: 'f149.txt',
      mimeType: 'text/plain',
      size: 1,
    });
  });

  it.each(['x', '', 7, null])('refuses the cursor %j', async (cursor) => {
    expect((await list(cursor)).body.error?.code).toBe(-32602);
  });

  it('has no templates', async () => {
    const { body } = await front.post({ method: 'resources/templates/list' });
    expect(body.result.resourceTemplates).toEqual([]);
  });
});
