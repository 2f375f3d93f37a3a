import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../../server/task-store.ts';
import { StoreDown } from '../../../store/store-down.ts';
import { ApproversFault } from '../../../server/inbox/approvers.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { InboxVisitor, wordsOf } from '../../support/inbox-visitor.ts';

const TEST_MS = 60_000;

let inbox: InboxBench;
beforeAll(async () => {
  inbox = await openInboxBench();
});

describe('a decision while no worker runs', () => {
  it(
    'is sent and not yet confirmed, can be sent again, and counts once when a worker is back',
    async () => {
      const worker = await inbox.bench.startWorker();
      const { id, found } = await inbox.open({ quorum: 2 });
      const finance = await inbox.visitor('finance-1');
      const page = await finance.get(`/inbox/approvals/${id}`);
      await worker.stop();

      const sent = await finance.submit(page, '/decide', {}, { choice: 'approve' });
      expect(wordsOf(sent)).toContain('Sent, not yet confirmed');
      expect(sent.text).toContain('<meta http-equiv="refresh" content="3" />');
      expect(sent.text).not.toMatch(/fail/i);
      const looked = await finance.get(sent.address);
      expect(wordsOf(looked)).toContain('Sent, not yet confirmed');
      const again = await finance.submit(looked, `/decisions/${sent.address.split('/').at(-1)!.split('?')[0]!}`);
      expect(wordsOf(again)).toContain('Sent, not yet confirmed');
      // Nobody else may look at it, nor send it.
      expect((await (await inbox.visitor('finance-2')).get(sent.address)).status).toBe(404);

      await inbox.bench.startWorker();
      const counted = await eventually(async () => {
        const seen = await finance.get(sent.address);
        return wordsOf(seen).includes('Your decision counts') && seen;
      }, 20_000);
      expect(wordsOf(counted)).toContain('1 of 2. It waits for others.');
      expect(counted.text).not.toContain('http-equiv="refresh"');
      expect((await inbox.desk.read(found.workflowId))?.open[0]?.votes).toHaveLength(1);
    },
    TEST_MS,
  );
});

describe('a decision that is sent again', () => {
  it(
    'after the role was taken away is not sent',
    async () => {
      const worker = await inbox.bench.startWorker();
      const { id } = await inbox.open();
      const finance = await inbox.visitor('finance-2');
      const page = await finance.get(`/inbox/approvals/${id}`);
      await worker.stop();
      const sent = await finance.submit(page, '/decide', {}, { choice: 'approve' });
      const { pathname } = new URL(sent.address, inbox.origin);
      const before = inbox.approvers;
      inbox.approvers = before.map((one) => (one.subject === 'finance-2' ? { ...one, roles: ['travel'] } : one));
      try {
        const again = await finance.submit(sent, pathname);
        expect([again.status, wordsOf(again)]).toEqual([
          403,
          expect.stringContaining('You no longer hold the role in which you decided. Nothing was sent now.'),
        ]);
      } finally {
        inbox.approvers = before;
      }
    },
    TEST_MS,
  );
});

describe('a decision that the worker cannot check', () => {
  it(
    'does not count, and its person is told to decide once more',
    async () => {
      const cannot = async (): Promise<never> => {
        throw new Error('no hash today');
      };
      const other = await openInboxBench({}, 0, { verifyDecision: cannot });
      await other.bench.startWorker();
      const { id, found } = await other.open();
      const finance = await other.visitor('finance-1');
      const page = await finance.get(`/inbox/approvals/${id}`);
      const answer = await finance.submit(page, '/decide', {}, { choice: 'approve' });
      const words = await eventually(async () => {
        const seen = wordsOf(await finance.get(answer.address));
        return !seen.includes('not yet confirmed') && seen;
      }, 30_000);
      expect(words).toContain('It could not be checked just now, and does not count. Open the approval again');
      expect((await other.desk.read(found.workflowId))?.open[0]?.votes).toEqual([]);
    },
    TEST_MS,
  );
});

describe('a decision that could not leave the front', () => {
  it(
    'is said to be unsent, and is taken when it is sent again',
    async () => {
      const away = { decide: true };
      const other = await openInboxBench();
      const real = other.desk;
      const front = await openInboxBench({
        desk: {
          read: (workflowId) => real.read(workflowId),
          readOwn: (caller, taskId) => real.readOwn(caller, taskId),
          verdictOf: (workflowId, updateId) => real.verdictOf(workflowId, updateId),
          decide: (workflowId, signed) =>
            away.decide ? Promise.reject(new StoreUnavailable()) : real.decide(workflowId, signed),
        },
      });
      await other.bench.startWorker();
      const { id, found } = await other.open();
      front.queue.add(found);
      const finance = await front.visitor('finance-1');
      const page = await finance.get(`/inbox/approvals/${id}`);
      const unsent = await finance.submit(page, '/decide', {}, { choice: 'approve' });
      expect(wordsOf(unsent)).toContain('your decision has not left it');
      expect(unsent.text).not.toContain('http-equiv="refresh"');
      away.decide = false;
      const { pathname } = new URL(unsent.address, front.origin);
      const sent = await finance.submit(unsent, pathname);
      expect(wordsOf(sent)).toContain('Approved by Finance 1 at');
    },
    TEST_MS,
  );
});

describe('a page whose ground is away', () => {
  it('says so, and that nothing was changed', async () => {
    const finance = await inbox.visitor('finance-1');
    inbox.queue.error = new StoreDown();
    for (const path of ['/inbox', '/inbox/approvals/x']) {
      const page = await finance.get(path);
      expect([page.status, wordsOf(page)]).toEqual([503, expect.stringContaining('Nothing was changed')]);
    }
    inbox.queue.error = undefined;
    expect((await finance.get('/inbox')).status).toBe(200);
  });

  it('is every page without a database: it says what is missing', async () => {
    const { origin } = await openInboxBench({ queue: undefined });
    for (const path of ['/inbox', '/inbox/sign-in', '/inbox/approvals/x']) {
      const page = await new InboxVisitor(origin).get(path);
      expect([page.status, wordsOf(page)]).toEqual([503, expect.stringContaining('DATABASE_URL')]);
    }
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });

  it('is every page whose list of approvers cannot be read; it does not show the file', async () => {
    const secret = `/secret/${randomBytes(4).toString('hex')}`;
    const approvers = () => Promise.reject(new ApproversFault(`${secret} cannot be read`));
    const page = await new InboxVisitor((await openInboxBench({ approvers })).origin).get('/inbox/sign-in');
    expect([page.status, wordsOf(page)]).toEqual([503, expect.stringContaining('The list of approvers')]);
    expect(page.text).not.toContain(secret);
  });
});

describe('a session', () => {
  it('is a sealed cookie that no script reads; changed, it is none', async () => {
    const visitor = new InboxVisitor(inbox.origin);
    const body = new URLSearchParams({ subject: 'finance-1', to: 'https://evil.example/inbox' });
    const signedIn = await visitor.once('/inbox/sign-in', { method: 'POST', body });
    expect(signedIn.headers.get('location')).toBe('/inbox');
    expect(signedIn.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^inbox_session=[\w-]+; Max-Age=28800; Path=\/inbox; HttpOnly; SameSite=Lax$/),
    ]);
    expect((await visitor.get('/inbox')).text).toContain('Finance 1');
    const cookie = visitor.cookies.get('inbox_session')!;
    visitor.cookies.set('inbox_session', `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`);
    expect((await visitor.once('/inbox/approvals/x', {})).headers.get('location')).toBe(
      '/inbox/sign-in?to=%2Finbox%2Fapprovals%2Fx',
    );
    expect((await visitor.signInAs('nobody')).status).toBe(400);
  });

  it('ends when somebody signs out', async () => {
    const finance = await inbox.visitor('finance-1');
    await finance.submit(await finance.get('/inbox'), '/sign-in/end');
    expect(finance.cookies.has('inbox_session')).toBe(false);
    expect((await finance.get('/inbox')).address).toContain('/inbox/sign-in');
  });

  it('is asked for by whoever is at the machine, the people of the file and oneself', async () => {
    const page = await new InboxVisitor(inbox.origin).get('/inbox/approvals/x');
    expect(wordsOf(page)).toMatch(
      /Who are you\?.*Me \(.+\) who calls tools.*Finance 1 finance.*Purchasing 1 purchasing/,
    );
  });
});

describe('every answer', () => {
  it('forbids what pages of ours do not do', async () => {
    const finance = await inbox.visitor('finance-1');
    for (const path of [
      '/inbox',
      '/inbox/nothing',
      '/inbox/sign-in',
      '/inbox/assets/inbox.css',
      '/inbox/assets/htmx.js',
    ]) {
      const { headers, text } = await finance.get(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy':
          "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
          "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': path.includes('assets') ? 'max-age=300' : 'no-store',
      });
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(path.includes('assets') || !/<style|<script>| style=| on\w+="/.test(text)).toBe(true);
    }
    const foreign = await fetch(`${inbox.origin}/inbox`, { headers: { origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
  });
});
