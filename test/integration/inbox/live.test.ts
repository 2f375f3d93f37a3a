/** The streams by which open pages learn of changes, at the door of a front. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ApprovalChange } from '../../../protocol/approval-queue.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { formOf, type InboxVisitor } from '../../support/inbox-visitor.ts';
import { patiently } from '../../support/patience.js';

const TEST_MS = 60_000;
const STREAMS_PER_PERSON = 3;

/** What a look at the database finds. */
let recent: readonly ApprovalChange[] = [];
let inbox: InboxBench;
beforeAll(async () => {
  const changes = { recent: async () => recent };
  inbox = await openInboxBench({ changes, liveLimits: { streamsPerPerson: STREAMS_PER_PERSON } });
  await inbox.bench.startWorker();
}, TEST_MS);

interface Stream {
  readonly status: number;
  text: string;
  isOver: boolean;
  close(): void;
}

async function listen(visitor: InboxVisitor, address: string): Promise<Stream> {
  const gone = new AbortController();
  const answer = await visitor.once(address, { signal: gone.signal });
  const stream: Stream = { status: answer.status, text: '', isOver: false, close: () => gone.abort() };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of answer.body ?? []) stream.text += decoder.decode(bytes as Uint8Array);
  })()
    .catch(() => undefined)
    .finally(() => (stream.isOver = true));
  return stream;
}

let changeCount = 0;
function happens(approvalId: string, asked: Partial<ApprovalChange> = {}): void {
  changeCount += 1;
  recent = [{ approvalId, roles: ['finance'], people: [], changeId: String(changeCount), ...asked }];
}

const saysSo = (stream: Stream) => eventually(() => stream.text.includes('data: {"changed":true}'), 10_000);

describe('the stream of a queue', () => {
  it(
    'tells of what asks the visitor, by role or by name, and of nothing else',
    async () => {
      const finance = await inbox.visitor('finance-1');
      const [mine, other] = [
        await listen(finance, '/inbox/live'),
        await listen(await inbox.visitor('clerk-1'), '/inbox/live'),
      ];
      happens('a', { roles: [], people: ['finance-1'] });
      await saysSo(mine);
      mine.text = '';
      happens('b', { roles: ['pages'] });
      await saysSo(other);
      expect(mine.text).toBe('');
      happens('c', { roles: ['finance'], requester: { organisation: 'elsewhere' } });
      happens('d');
      await saysSo(mine);
      for (const stream of [mine, other]) stream.close();
    },
    TEST_MS,
  );

  it('stands in the page, which then no longer asks by the clock', async () => {
    const { text } = await (await inbox.visitor('finance-1')).get('/inbox');
    expect(text).toContain('<meta name="inbox-live" content="/inbox/live" />');
    expect(text).toContain('hx-trigger="inbox:changed from:body"');
    expect(text).not.toContain('every 10s');
  });

  it('is refused above what one person may have open, in a page that says so', async () => {
    const finance = await inbox.visitor('finance-2');
    const streams = [];
    for (let count = 0; count <= STREAMS_PER_PERSON; count += 1) streams.push(await listen(finance, '/inbox/live'));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    for (const stream of streams) stream.close();
  });

  it('ends when its visitor signs out, and is not given to somebody who is nobody', async () => {
    const finance = await inbox.visitor('purchasing-1');
    const stream = await listen(finance, '/inbox/live');
    const { fields } = formOf(await finance.get('/inbox'), '/sign-in/end');
    await finance.post('/inbox/sign-in/end', fields);
    await eventually(() => stream.isOver);
    expect((await finance.once('/inbox/live', {})).status).toBe(303);
    // A script that asks for a part of a page is led away as a whole.
    const part = await finance.once('/inbox', { headers: { 'hx-request': 'true' } });
    expect([part.status, part.headers.get('hx-redirect')]).toEqual([204, '/inbox/sign-in?to=%2Finbox']);
  });

  it('answers HEAD without opening one', async () => {
    const finance = await inbox.visitor('finance-1');
    const answer = await finance.once('/inbox/live', { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });
});

describe('the stream of an approval', () => {
  it('tells of this one alone, also its requester, and is not found for whom it does not ask', async () => {
    const { id } = await inbox.open({}, 'clerk-1');
    const address = `/inbox/approvals/${id}/live`;
    const [finance, clerk] = [await inbox.visitor('finance-1'), await inbox.visitor('clerk-1')];
    const [asked, asking] = [await listen(finance, address), await listen(clerk, address)];
    const queue = await listen(finance, '/inbox/live');
    happens('another');
    await saysSo(queue);
    for (const stream of [asked, asking]) expect(stream.text).not.toContain('changed');
    happens(id);
    await Promise.all([saysSo(asked), saysSo(asking)]);
    expect((await listen(await inbox.visitor('purchasing-1'), address)).status).toBe(404);
    const page = await finance.get(`/inbox/approvals/${id}`);
    expect(page.text).toContain(`<meta name="inbox-live" content="${address}" />`);
    for (const stream of [asked, asking, queue]) stream.close();
  });

  it('has the page renewed as a whole once there is nothing more to decide', async () => {
    const { id } = await inbox.open({ quorum: 2 }, 'clerk-1');
    const finance = await inbox.visitor('finance-1');
    const look = () => finance.once(`/inbox/approvals/${id}`, { headers: { 'hx-request': 'true' } });
    const before = await look();
    expect(before.headers.get('hx-retarget')).toBeNull();
    await finance.submit(await finance.get(`/inbox/approvals/${id}`), '/decide', {}, { choice: 'approve' });
    const after = await look();
    expect(['hx-retarget', 'hx-reselect', 'hx-reswap'].map((name) => after.headers.get(name))).toEqual([
      'main',
      'main',
      'outerHTML',
    ]);
  });
});

describe('a front', () => {
  it('ends the streams of its pages when it stops, and waits for none of them', async () => {
    const changes = { recent: async () => [] };
    const other = await openInboxBench({ changes });
    const stream = await listen(await other.visitor('finance-1'), '/inbox/live');
    const startedAt = performance.now();
    await other.drain();
    await eventually(() => stream.isOver);
    expect(performance.now() - startedAt).toBeLessThan(patiently(1_000));
  });

  it('that knows of no changes has pages without a stream, which ask by the clock', async () => {
    const visitor = await (await openInboxBench()).visitor('finance-1');
    const { text } = await visitor.get('/inbox');
    expect(text).toContain('hx-trigger="every 10s"');
    expect(text).not.toContain('inbox-live');
    expect((await visitor.get('/inbox/live')).status).toBe(404);
  });
});
