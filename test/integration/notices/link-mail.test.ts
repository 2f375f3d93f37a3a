/** The link to somebody outside, through a real database and a real mail server. */
import { randomBytes } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import type { Approval } from '../../../protocol/approval.ts';
import { createLinks } from '../../../server/inbox/links.ts';
import { mailSender } from '../../../server/notices/mail.ts';
import { keepTelling } from '../../../server/notices/telling.ts';
import { NoticeOutbox } from '../../../store/notice-outbox.ts';
import { anApproval } from '../../support/an-approval.ts';
import { openAudit, type TestAudit } from '../../support/audit.ts';
import { eventually } from '../../support/eventually.ts';
import { startMailCatcher, unfolded, type CaughtMail, type MailCatcher } from '../../support/mail-catcher.ts';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';
import { atScopeEnd } from '../../support/scope.ts';

const TEST_MS = 120_000;
const ORIGIN = 'https://mcp.example';
const TASK = { workflowId: 'mcp-task/p/t', taskId: 't', tool: 'hire', caller: 'p' };

let audit: TestAudit;
let mails: MailCatcher;
beforeAll(async () => {
  audit = await openAudit(await startPostgres(postgresKinds[0]!));
  mails = await startMailCatcher();
}, TEST_MS);

const links = createLinks([randomBytes(32)], () => ORIGIN);

/** The mails of a front whose task has `open`, until there is none left to send. */
async function tell(open: readonly Approval[]): Promise<void> {
  const outbox = new NoticeOutbox(audit.db);
  const found = { ...TASK, requester: 'p', open, decided: [], isOver: false, deadlineAt: Date.now() };
  const stopping = new AbortController();
  const sender = mailSender({
    config: { smtpUrl: mails.url, from: 'tasks@example.com' },
    inboxOrigin: ORIGIN,
    // Whoever is asked by a role is nobody here.
    approvers: async () => [{ subject: 'fred', name: 'Fred', roles: ['finance'], mail: 'fred@example.com' }],
    outbox,
    desk: { read: async (workflowId) => (workflowId === TASK.workflowId ? found : undefined) },
    links,
  });
  const telling = keepTelling({
    outbox,
    senders: new Map([['mail', sender]]),
    metrics: { countNotice: () => undefined },
    log: { warn: () => undefined },
    signal: stopping.signal,
    expiryOf: async () => undefined,
    lookEveryMs: 50,
  });
  atScopeEnd(async () => {
    stopping.abort();
    await telling;
  });
  await eventually(async () => {
    const waiting = audit.db.selectFrom('notices').select('notice_id').where('done_at', 'is', null);
    return (await waiting.where('channel', '=', 'mail').where('due_at', '<=', new Date()).execute()).length === 0;
  });
  stopping.abort();
  await telling;
}

function tokenIn({ body }: CaughtMail): string | undefined {
  return /https:\/\/mcp\.example\/links\/([\w-]+)/.exec(unfolded(body))?.[1];
}

it(
  'goes to whoever is to answer by it, and to nobody else',
  async () => {
    const link = { name: 'the candidate', mail: 'robin@example.com' };
    const times = { openedAt: Date.now(), dueAt: Date.now() + 3_600_000, roles: [] };
    const offer = anApproval({ ...times, id: 'offer', title: 'Offer: Engineer', link });
    const wayOut = anApproval({ ...times, id: 'out', title: 'Application', link: { ...link, isStanding: true } });
    const open = [offer, wayOut];
    const acts = open.map(({ id }, seq) => {
      return { seq, at: Date.now() - 1_000, type: 'approval_requested', about: id, data: { approval: id } } as const;
    });
    await audit.log.record({ task: TASK, acts, queue: open });
    await tell(open);
    expect(mails.caught.map(({ to }) => to)).toEqual([[link.mail], [link.mail]]);
    const mail = mails.caught.find(({ headers }) => headers.includes('Subject: Offer: Engineer'));
    expect(links.open(tokenIn(mail!)!)).toMatchObject({
      workflowId: TASK.workflowId,
      taskId: 't',
      approvalId: 'offer',
    });
    expect(mail!.body).toContain('Opening the page decides nothing.');
    expect(mail!.body).toMatch(/Until: \d{4}/);
    const other = mails.caught.find((each) => each !== mail)!;
    expect(other.body).not.toContain('Until:');
    expect(links.open(tokenIn(other)!)).toMatchObject({ approvalId: 'out' });
    // No notice holds the address or the link.
    const rows = await audit.db.selectFrom('notices').selectAll().execute();
    expect(JSON.stringify(rows.map(({ details, addressee }) => [details, addressee]))).not.toMatch(/robin|links/);

    // Answered meanwhile: there is nothing to send.
    await audit.log.record({
      task: TASK,
      acts: [{ ...acts[0]!, seq: 2, type: 'reminded', about: 'offer r' }],
      queue: open,
    });
    await tell([]);
    expect(mails.caught).toHaveLength(2);
  },
  TEST_MS,
);
