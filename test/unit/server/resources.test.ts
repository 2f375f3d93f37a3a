import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { taskFileUri } from '../../../protocol/blob-ref.ts';
import { RESOURCE_NOT_FOUND_TEXT } from '../../../server/errors.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';

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
