/** The pages of those who have a link and no sign-in, over HTTP. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../protocol/task.ts';
import type { ApprovalCase } from '../../../server/approvals/approval-desk.ts';
import { createLinks } from '../../../server/inbox/links.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { formOf, InboxVisitor, wordsOf, type InboxPage } from '../../support/inbox-visitor.ts';

const TEST_MS = 60_000;
const REQUESTER = 'purchasing-1';

let inbox: InboxBench;
let worker: { stop(): Promise<void> };
let mine: InboxVisitor;
beforeAll(async () => {
  inbox = await openInboxBench();
  worker = await inbox.bench.startWorker();
  mine = await inbox.visitor(REQUESTER);
});

interface Sent {
  readonly taskId: string;
  readonly found: ApprovalCase;
  readonly path: string;
  /** Has no session, and never gets one. */
  readonly candidate: InboxVisitor;
}

/** An offer, and the link to it as the one who has asked for it reads it. */
async function send(more: JsonObject = {}): Promise<Sent> {
  const { taskId, found } = await inbox.open({ byLink: true, title: 'Offer: Engineer', ...more });
  const path = linkOn(await mine.get(`/inbox/tasks/${taskId}`));
  return { taskId, found, path, candidate: new InboxVisitor(inbox.origin) };
}

function linkOn({ text }: InboxPage): string {
  const [, address = ''] = /href="([^"]*\/links\/[^"]*)"/.exec(text) ?? [];
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/links\/[\w-]{100,}$/);
  return new URL(address).pathname;
}

async function resultOf(taskId: string): Promise<unknown> {
  return eventually(async () => {
    const task = await inbox.bench.store.get(inbox.callerNamed(REQUESTER), taskId);
    return task.status === 'completed' && task.result.structuredContent;
  });
}

const yes = { choice: 'approve' };
const no = { choice: 'reject' };

describe('a link', () => {
  it(
    'shows what is offered and decides nothing, however often it is opened',
    async () => {
      const { found, path, candidate } = await send();
      for (let time = 0; time < 3; time += 1) {
        const page = await candidate.get(path);
        expect(page.status).toBe(200);
        expect(wordsOf(page)).toMatch(/Offer: Engineer .* Amount 759\.60 EUR Vendor Nordlicht .* Answer until \d{4}/);
        expect(page.text).not.toContain('htmx.js');
        expect(page.text).not.toContain('href="/inbox"');
      }
      const { headers } = await candidate.once(path, { method: 'HEAD' });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(candidate.cookies.size).toBe(0);
      expect((await inbox.desk.read(found.workflowId))!.open[0]!.votes).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'takes one answer; whoever sends it again, or another one, reads what stands',
    async () => {
      const { taskId, path, candidate } = await send();
      const [first, second] = [await candidate.get(path), await candidate.get(path)];
      const done = await candidate.submit(first, path, { reason: 'Gladly.' }, yes);
      expect([done.address, done.status]).toEqual([path, 200]);
      expect(wordsOf(done)).toMatch(/It was answered at .* UTC : Accept the offer\. That stands/);
      expect(await resultOf(taskId)).toEqual({ result: 'approved', by: ['the candidate'] });
      for (const late of [
        await candidate.submit(first, path, { reason: 'Gladly.' }, yes),
        await candidate.submit(second, path, {}, no),
        await candidate.get(path),
      ]) {
        expect(wordsOf(late)).toBe(wordsOf(done));
        expect(late.text).not.toContain('<form');
      }
    },
    TEST_MS,
  );

  it(
    'takes a no, with a word about it',
    async () => {
      const { taskId, path, candidate } = await send();
      const page = await candidate.submit(await candidate.get(path), path, { reason: 'Too far.' }, no);
      expect(wordsOf(page)).toContain('Decline the offer');
      expect(await resultOf(taskId)).toEqual({ result: 'rejected', by: ['the candidate'], reason: 'Too far.' });
    },
    TEST_MS,
  );

  it(
    'that is forged, changed, cut off or of something that is gone reads like any other that leads nowhere',
    async () => {
      const { found, path } = await send();
      const stranger = new InboxVisitor(inbox.origin);
      const token = path.slice('/links/'.length);
      const changed = token.slice(0, 40) + (token[40] === 'A' ? 'B' : 'A') + token.slice(41);
      const forged = createLinks([randomBytes(32)], () => inbox.origin).addressOf(found, found.open[0]!)!;
      const nowhere = await stranger.get('/links/x');
      expect([nowhere.status, wordsOf(nowhere)]).toEqual([404, expect.stringContaining('This link leads nowhere')]);
      for (const address of [`/links/${changed}`, path.slice(0, -4), `${path}A`, new URL(forged).pathname]) {
        const page = await stranger.get(address);
        expect([page.status, page.text]).toEqual([404, nowhere.text]);
        const posted = await stranger.post(address, { ...yes, ticket: 'x' });
        expect([posted.status, posted.text]).toEqual([404, nowhere.text]);
      }
      expect((await inbox.desk.read(found.workflowId))!.open).toHaveLength(1);
    },
    TEST_MS,
  );

  it(
    'is good for nothing but what it was made for',
    async () => {
      const { found, path, candidate } = await send();
      const nowhere = await candidate.get('/links/x');
      const mint = inbox.links;
      const [approval] = found.open;
      const others = [
        mint.addressOf(found, { ...approval!, title: 'Offer: Director' }),
        mint.addressOf({ ...found, workflowId: `${found.workflowId}x` }, approval!),
        mint.addressOf({ ...found, taskId: 'another' }, approval!),
      ].map((address) => new URL(address!).pathname);
      for (const other of others) expect((await candidate.get(other)).text).toBe(nowhere.text);
      expect(mint.addressOf(found, { ...approval!, link: undefined })).toBeUndefined();

      // A form belongs to the page that it came with.
      const second = await send();
      const { fields } = formOf(await candidate.get(second.path), second.path, yes);
      const refused = await candidate.post(path, fields);
      expect([refused.status, wordsOf(refused)]).toEqual([400, expect.stringContaining('Open the link again')]);
      const odd = formOf(await candidate.get(path), path, yes).fields;
      expect((await candidate.post(path, { ...odd, choice: 'request_changes' })).status).toBe(400);
      expect((await candidate.post(path, { ...odd, reason: 'x'.repeat(1_001) })).status).toBe(422);
      expect((await inbox.desk.read(found.workflowId))!.open[0]!.votes).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'is answered from its own page only',
    async () => {
      const { path, found, candidate } = await send();
      const { fields } = formOf(await candidate.get(path), path, yes);
      const elsewhere = await candidate.post(path, fields, { origin: 'https://evil.example' });
      expect([elsewhere.status, elsewhere.text.includes('/inbox"')]).toEqual([403, false]);
      const json = await candidate.once(path, {
        method: 'POST',
        body: JSON.stringify(fields),
        headers: { 'content-type': 'application/json' },
      });
      expect(json.status).toBe(415);
      expect((await candidate.once(path, { method: 'DELETE' })).status).toBe(404);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = new Blob([new URLSearchParams(fields).toString()]).stream();
      const endless = await candidate.once(path, { method: 'POST', body, headers, duplex: 'half' });
      expect(endless.status).toBe(411);
      expect((await inbox.desk.read(found.workflowId))!.open[0]!.votes).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'says that the time is over, or that whoever asked has ended it',
    async () => {
      const late = await send({ withinMs: 8_000 });
      const page = await late.candidate.get(late.path);
      expect(await resultOf(late.taskId)).toEqual({ result: 'expired', by: [] });
      expect(wordsOf(await late.candidate.get(late.path))).toContain('The time to answer is over.');
      expect(wordsOf(await late.candidate.submit(page, late.path, {}, yes))).toContain('The time to answer is over.');

      const { taskId, path, candidate } = await send();
      await inbox.bench.store.cancel(inbox.callerNamed(REQUESTER), taskId, 'test');
      const told = await eventually(async () => {
        const each = await candidate.get(path);
        return !each.text.includes('<form') && each;
      });
      expect(wordsOf(told)).toMatch(/no longer open since|was ended by whoever had asked/);
    },
    TEST_MS,
  );
});

describe('nobody in the inbox', () => {
  it(
    'sees an approval that is answered by a link, and nobody but the requester sees the link',
    async () => {
      const { taskId, found } = await send();
      for (const subject of ['finance-1', REQUESTER]) {
        const visitor = await inbox.visitor(subject);
        const page = await visitor.get(`/inbox/approvals/${found.open[0]!.id}`);
        expect(page.text).not.toContain('Decline the offer');
      }
      expect((await (await inbox.visitor('finance-1')).get(`/inbox/tasks/${taskId}`)).status).toBe(404);
    },
    TEST_MS,
  );

  it(
    'sees a link that goes out by mail',
    async () => {
      const mailing = await openInboxBench({ mailsLinks: true });
      const running = await mailing.bench.startWorker();
      const { taskId } = await mailing.open({ byLink: true, title: 'Offer: Engineer' });
      const page = await (await mailing.visitor(REQUESTER)).get(`/inbox/tasks/${taskId}`);
      expect(wordsOf(page)).toContain('Offer: Engineer: the link for the candidate is mailed to robin@example.com.');
      expect(page.text).not.toContain('/links/');
      await running.stop();
    },
    TEST_MS,
  );
});

// Last: it stops the worker.
it(
  'an answer that no worker has seen yet is said to be on its way, and counts when one is back',
  async () => {
    const { taskId, path, candidate } = await send();
    const page = await candidate.get(path);
    await worker.stop();
    const waiting = await candidate.submit(page, path, {}, yes);
    expect([waiting.status, wordsOf(waiting)]).toEqual([202, expect.stringContaining('not confirmed yet')]);
    worker = await inbox.bench.startWorker();
    await eventually(async () => {
      const { status, ...shown } = await candidate.submit(page, path, {}, yes);
      expect([status, wordsOf({ status, ...shown })]).toEqual([200, expect.stringContaining('Accept the offer')]);
    }, 20_000);
    expect(await resultOf(taskId)).toEqual({ result: 'approved', by: ['the candidate'] });
  },
  TEST_MS,
);
