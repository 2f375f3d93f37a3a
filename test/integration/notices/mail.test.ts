/** Who gets mail, and what it says, through a real database and a real mail server. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Approval } from '../../../protocol/approval.ts';
import type { ReadableApprovals } from '../../../server/approvals/approval-source.ts';
import type { Approver } from '../../../server/inbox/approvers.ts';
import { mailSender } from '../../../server/notices/mail.ts';
import { batch } from '../../support/audit-acts.ts';
import { openAudit, type TestAudit } from '../../support/audit.ts';
import { eventually } from '../../support/eventually.ts';
import { startMailCatcher, type MailCatcher } from '../../support/mail-catcher.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { about, act, open, startFront, untilQuiet, type Front } from '../../support/telling.ts';

const TEST_MS = 120_000;
const ORIGIN = 'https://mcp.example';

let postgres: TestPostgres;
let audit: TestAudit;

beforeAll(async () => {
  postgres = await startPostgres(postgresKinds[0]!);
}, TEST_MS);
beforeEach(async () => {
  audit = await openAudit(postgres);
}, TEST_MS);

describe('a mail', () => {
  const people: readonly Approver[] = [
    { subject: 'fred', name: 'Fred', roles: ['finance'], mail: 'fred@example.com' },
    { subject: 'fiona', name: 'Fiona', roles: ['finance'], mail: 'fiona@example.com' },
    { subject: 'faye', name: 'Faye', roles: ['finance'] },
    { subject: 'paula', name: 'Paula', roles: ['purchasing'], mail: 'paula@example.com' },
    { subject: 'bea', name: 'Bea', roles: ['board'], mail: 'bea@example.com' },
    { subject: 'ona', name: 'Ona', roles: ['finance'], organisation: 'one', mail: 'ona@example.com' },
    { subject: 'oda', name: 'Oda', roles: [], organisation: 'one', mail: 'oda@example.com' },
  ];
  let mails: MailCatcher;
  /** By whom, to whom, perhaps for one role. */
  let delegations: readonly { from: string; to: string; role?: string; tenant?: string }[];
  const signedOver: ReadableApprovals['signedOver'] = async ({ subject, tenant }) =>
    delegations
      .filter((one) => one.from === subject && one.tenant === tenant)
      .map(({ from, to, role }) => ({
        id: `${from} ${to}`,
        from: { issuer: 'local', subject: from, name: from },
        to,
        ...(role === undefined ? {} : { role }),
        fromAt: 0,
        untilAt: 1,
        createdAt: 0,
      }));

  beforeEach(async () => {
    mails = await startMailCatcher();
    delegations = [];
  });

  function mailFront(): Front {
    const config = { smtpUrl: mails.url, from: 'tasks@example.com' };
    const approvers = async () => people;
    // Nobody here is asked by a link: link-mail.test.ts.
    const outside = { desk: { read: async () => undefined }, links: { addressOf: () => undefined } };
    return startFront(
      audit,
      (outbox) =>
        new Map([['mail', mailSender({ config, inboxOrigin: ORIGIN, approvers, signedOver, outbox, ...outside })]]),
    );
  }

  const receivers = (): readonly string[] => mails.caught.flatMap(({ to }) => to).toSorted();
  const requested = (approval: Approval): Promise<void> =>
    audit.log.record(batch('t', [act('approval_requested', 0, about(approval.id))], [approval]));

  it('goes once to each who is asked, though two fronts send', async () => {
    mailFront();
    mailFront();
    await requested(open({ people: ['paula'] }));
    await untilQuiet(audit, 'mail');
    expect(receivers()).toEqual(['fiona@example.com', 'fred@example.com', 'paula@example.com']);
    const { headers, body } = mails.caught[0]!;
    expect(headers).toContain('Subject: Decision needed: Order');
    expect(headers).toContain('From: tasks@example.com');
    expect(body).toContain('https://mcp.example/inbox/approvals/a');
    expect(body).toContain('10.00 EUR');
    expect(body).not.toContain('content');
  });

  it('has no header and no receiver from a title', async () => {
    mailFront();
    await requested(open({ title: 'Order\r\nBcc: evil@example.com\r\n\r\nPay <evil@example.com>' }));
    await untilQuiet(audit, 'mail');
    expect(receivers()).toEqual(['fiona@example.com', 'fred@example.com']);
    for (const { headers } of mails.caught) expect(headers.filter((line) => /^(?:bcc|cc)/i.test(line))).toEqual([]);
  });

  it('goes to nobody for another organisation, which has people of the same names', async () => {
    const front = mailFront();
    await requested(open({ requester: { subject: 'somebody', organisation: 'other' } }));
    await untilQuiet(audit, 'mail');
    expect(mails.caught).toEqual([]);
    expect(front.said).toEqual([]);
  });

  it('goes to the people of the organisation of whoever asks, and to their delegates there', async () => {
    delegations = [{ from: 'ona', to: 'oda', tenant: 'one' }];
    mailFront();
    await requested(open({ requester: { subject: 'somebody', organisation: 'one' } }));
    await untilQuiet(audit, 'mail');
    expect(receivers()).toEqual(['oda@example.com', 'ona@example.com']);
  });

  it('goes to whoever stands in for somebody who is asked, as far as that reaches', async () => {
    delegations = [
      { from: 'faye', to: 'paula' },
      { from: 'fred', to: 'bea', role: 'purchasing' },
      { from: 'fiona', to: 'nobody-any-more' },
    ];
    mailFront();
    await requested(open());
    await untilQuiet(audit, 'mail');
    expect(receivers()).toEqual(['fiona@example.com', 'fred@example.com', 'paula@example.com']);
    mails.caught.splice(0);
    delegations = [{ from: 'fred', to: 'bea', role: 'finance' }];
    const voted = act('voted', 1, about('a', { subject: 'fiona', choice: 'approve' }));
    await audit.log.record(batch('t', [voted, act('reminded', 2, about('a'))], [open({ quorum: 2 })]));
    await untilQuiet(audit, 'mail');
    expect(receivers()).toEqual(['bea@example.com', 'fred@example.com']);
    mails.caught.splice(0);
    const byDelegate = about('a', { subject: 'bea', onBehalfOf: { subject: 'fred', name: 'Fred' }, choice: 'approve' });
    const again = [act('voted', 3, byDelegate), act('reminded', 4, about('a'))];
    await audit.log.record(batch('t', again, [open({ quorum: 3 })]));
    await untilQuiet(audit, 'mail');
    expect(receivers()).toEqual([]);
  });

  it('reminds those who have not voted, and asks the new role alone when it escalates', async () => {
    const approval = open({ quorum: 2, roles: ['finance', 'board'] });
    const front = mailFront();
    await requested(approval);
    await untilQuiet(audit, 'mail');
    mails.caught.splice(0);
    const voted = act('voted', 1, about('a', { subject: 'fred', choice: 'approve' }));
    const reminded = act('reminded', 2, about('a'));
    await audit.log.record(batch('t', [voted, reminded], [approval]));
    await untilQuiet(audit, 'mail');
    expect(receivers()).toEqual(['bea@example.com', 'fiona@example.com']);
    mails.caught.splice(0);
    await audit.log.record(batch('t', [act('escalated', 3, about('a', { role: 'board' }))], [approval]));
    await untilQuiet(audit, 'mail');
    expect(receivers()).toEqual(['bea@example.com']);
    expect(front.said).toEqual([]);
  });

  it('does not come when it has been decided before', async () => {
    await requested(open());
    const decided = act('approval_decided', 1, about('a', { title: 'Order', result: 'approved' }));
    await audit.log.record(batch('t', [decided]));
    mailFront();
    await untilQuiet(audit, 'mail');
    expect(mails.caught).toEqual([]);
  });

  it('to one whom the mail server does not know keeps nobody else from theirs', async () => {
    mails.unknown.add('fiona@example.com');
    const front = mailFront();
    await requested(open());
    await eventually(() => front.counted.length === 2);
    expect(front.counted.toSorted()).toEqual(['mail failed', 'mail sent']);
    expect(receivers()).toEqual(['fred@example.com']);
    mails.unknown.clear();
    await untilQuiet(audit, 'mail');
    expect(receivers()).toEqual(['fiona@example.com', 'fred@example.com']);
  });
});
