import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { digestOf } from '../../../encryption/decision-signing.ts';
import { shownText } from '../../../protocol/approval.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { formOf, wordsOf } from '../../support/inbox-visitor.ts';

let inbox: InboxBench;
beforeAll(async () => {
  inbox = await openInboxBench();
  await inbox.bench.startWorker();
});

async function waitingIn(role: string): Promise<readonly string[]> {
  const rows = await inbox.queue.list({ subjects: [], roles: [role] }, { limit: 100 });
  return rows.map(({ approvalId }) => approvalId);
}

describe('the queue', () => {
  it('shows what waits for a role, with amount, requester, age and due date, and a decided item no more', async () => {
    const { id } = await inbox.open({ title: 'Order 9 lamps' });
    const finance = await inbox.visitor('finance-1');
    const queue = await finance.get('/inbox');
    expect(wordsOf(queue)).toMatch(
      /Order 9 lamps 759.60 EUR purchasing-1 0 min in 59 min \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    );
    expect(wordsOf(await (await inbox.visitor('purchasing-1')).get('/inbox'))).not.toContain('Order 9 lamps');

    await finance.submit(await finance.get(`/inbox/approvals/${id}`), '/decide', {}, { choice: 'approve' });
    expect(wordsOf(await finance.get('/inbox'))).not.toContain('Order 9 lamps');
    expect(await waitingIn('finance')).not.toContain(id);
  });

  it('shows what asks somebody by name, and of a role that they do not hold nothing', async () => {
    await inbox.open({ title: 'Only for one', role: 'board', people: ['purchasing-1'] }, 'finance-1');
    const asked = await inbox.visitor('purchasing-1');
    expect(wordsOf(await asked.get('/inbox'))).toContain('Only for one');
    await inbox.open({ title: 'For finance' }, 'finance-2');
    expect(wordsOf(await asked.get('/inbox?role=finance'))).toContain('Nothing waits for you here');
    const finance = await inbox.visitor('finance-1');
    expect(wordsOf(await finance.get('/inbox?role=finance'))).toContain('For finance');
    expect(wordsOf(await (await inbox.visitor('finance-2')).get('/inbox'))).not.toContain('For finance');
  });

  it('goes on page by page, with every item once, and forgets what Temporal no longer has', async () => {
    const titles = Array.from({ length: 30 }, (_, index) => `Item ${String(index)}.`);
    const opened = await Promise.all(titles.map((title) => inbox.open({ title, role: 'pages' })));
    const [stale] = opened;
    await inbox.bench.store.cancel(inbox.callerNamed('purchasing-1'), stale!.taskId, 'test');
    await eventually(async () => (await inbox.desk.read(stale!.found.workflowId))?.isOver === true);
    const clerk = await inbox.visitor('clerk-1');
    const first = await clerk.get('/inbox?role=pages');
    const [, next = ''] = /href="([^"]*)">Next page/.exec(first.text) ?? [];
    const second = await clerk.get(next.replaceAll('&amp;', '&'));
    const shown = [first, second].map(({ text }) => [...text.matchAll(/>(Item \d+\.)</g)].map(([, title]) => title));
    expect(shown.map(({ length }) => length)).toEqual([25, 4]);
    expect(shown.flat().toSorted()).toEqual(titles.slice(1).toSorted());
    expect(second.text).not.toContain('Next page');
    expect(await waitingIn('pages')).not.toContain(stale!.id);
  });
});

describe('the page of an approval', () => {
  it('says exactly what will happen, why, who asks, since when and until when', async () => {
    const { id } = await inbox.open({ quorum: 2 });
    const finance = await inbox.visitor('finance-1');
    const words = wordsOf(await finance.get(`/inbox/approvals/${id}`));
    for (const part of [
      'Order 4 chairs',
      'Amount 759.60 EUR',
      'Vendor Nordlicht',
      'Above 500 EUR somebody in finance decides.',
      'Asked by purchasing-1',
      'Waiting 0 min, since',
      'Due in 59 min',
      'Decided by 2 different people of finance; 0 so far',
      'Nobody has decided yet.',
    ]) {
      expect(words).toContain(part);
    }
  });

  it('is not shown without the audit knowing who has seen what', async () => {
    const { id, taskId, found } = await inbox.open();
    await (await inbox.visitor('finance-1')).get(`/inbox/approvals/${id}`);
    await (await inbox.visitor('clerk-1')).get(`/inbox/approvals/${id}`);
    const [approval] = found.open;
    const digest = digestOf(shownText(taskId, 'decide', approval!));
    const { principal } = inbox.callerNamed('finance-1');
    expect(inbox.acts.filter((act) => act.taskId === taskId)).toEqual([
      {
        taskId,
        type: 'viewed',
        about: JSON.stringify([id, digest, principal]),
        by: 'Finance 1',
        at: expect.any(Number),
        data: { approval: id, title: 'Order 4 chairs', digest, principal },
      },
    ]);
  });

  it('tells the audit of no look by HEAD', async () => {
    const { id, taskId } = await inbox.open({});
    const answer = await (await inbox.visitor('finance-1')).once(`/inbox/approvals/${id}`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(inbox.acts.filter((act) => act.taskId === taskId)).toEqual([]);
  });

  it('reads the same for unknown approvals and for those that ask somebody else', async () => {
    const { id } = await inbox.open({ role: 'board' }, 'finance-2');
    const finance = await inbox.visitor('finance-1');
    const [unknown, foreign] = [
      await finance.get('/inbox/approvals/unknown'),
      await finance.get(`/inbox/approvals/${id}`),
    ];
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect(foreign.text).toBe(unknown.text);
    for (const path of [`/inbox/approvals/${id}/documents/order.pdf`, `/inbox/approvals/${id}/decisions/x?sent=x`]) {
      expect((await finance.get(path)).text).toBe(unknown.text);
    }
  });

  it('shows requesters their own, and lets somebody else decide', async () => {
    const { id, taskId, found } = await inbox.open({}, 'finance-1');
    const own = await inbox.visitor('finance-1');
    const page = await own.get(`/inbox/approvals/${id}`);
    expect(wordsOf(page)).toContain('This is a request of yours: somebody else decides.');
    expect(page.text).not.toContain('/decide"');
    // A form that was shown to somebody else is no use either.
    const other = await inbox.visitor('finance-2');
    const { fields } = formOf(await other.get(`/inbox/approvals/${id}`), '/decide');
    const { csrf } = formOf(page, '/sign-in/end').fields;
    expect((await own.post(`/inbox/approvals/${id}/decide`, { ...fields, csrf: csrf! })).status).toBe(400);
    expect((await inbox.desk.read(found.workflowId))?.open[0]?.votes).toEqual([]);
    expect((await inbox.bench.store.get(inbox.callerNamed('finance-1'), taskId)).status).toBe('working');
  });

  it('tells others who has claimed it, and lets go of it again', async () => {
    const { id, taskId } = await inbox.open({});
    const [one, two] = [await inbox.visitor('finance-1'), await inbox.visitor('finance-2')];
    const twosPage = await two.get(`/inbox/approvals/${id}`);
    const claimed = await one.submit(await one.get(`/inbox/approvals/${id}`), '/claim');
    expect(wordsOf(claimed)).toContain('You have said that you look at it.');
    expect(wordsOf(await two.get(`/inbox/approvals/${id}`))).toContain('Finance 1 looks at it. You may still decide.');
    expect(wordsOf(await two.get('/inbox'))).toContain('Looked at by Finance 1');
    // Their form is of before: it claims nothing, and nothing is told of it.
    await two.submit(twosPage, '/claim');
    const released = await one.submit(claimed, '/release');
    expect(wordsOf(released)).toContain('Say that I look at it');
    const { principal } = inbox.callerNamed('finance-1');
    const data = { approval: id, title: 'Order 4 chairs', principal };
    const told = inbox.acts.filter((act) => act.taskId === taskId && act.type !== 'viewed');
    expect(told).toMatchObject([
      { type: 'claimed', by: 'Finance 1', data },
      { type: 'released', by: 'Finance 1', data },
    ]);
  });

  it('gives the documents that it names, as downloads, and no other file of the task', async () => {
    const { id, taskId, found } = await inbox.open({ document: 'order.pdf' });
    const owner = { caller: found.requester, taskId };
    const file = { mimeType: 'application/pdf', bytes: Buffer.from('%PDF-') };
    await inbox.bench.blobs.put(owner, { name: 'order.pdf', ...file });
    await inbox.bench.blobs.put(owner, { name: 'other.pdf', ...file });
    const finance = await inbox.visitor('finance-1');
    const page = await finance.get(`/inbox/approvals/${id}`);
    const [, link = ''] = /href="([^"]*documents[^"]*)"/.exec(page.text) ?? [];
    const document = await finance.get(link);
    expect([document.status, document.text]).toEqual([200, '%PDF-']);
    expect(document.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''order.pdf");
    expect(document.headers.get('content-type')).toBe('application/pdf');
    const { principal } = inbox.callerNamed('finance-1');
    const digest = createHash('sha256').update('%PDF-').digest('hex');
    const told = () => inbox.acts.filter((act) => act.taskId === taskId && act.type === 'downloaded');
    expect(told()).toEqual([
      {
        taskId,
        type: 'downloaded',
        about: JSON.stringify(['order.pdf', digest, principal, 'inbox']),
        by: 'Finance 1',
        at: expect.any(Number),
        data: { file: 'order.pdf', digest, principal, in: 'inbox' },
      },
    ]);
    expect((await finance.once(link, { method: 'HEAD' })).status).toBe(200);
    expect(told()).toHaveLength(1);
    expect((await finance.get(`/inbox/approvals/${id}/documents/other.pdf`)).status).toBe(404);
    const stranger = await inbox.visitor('clerk-1');
    expect((await stranger.get(link)).status).toBe(404);
  });
});
