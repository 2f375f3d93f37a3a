import { describe, expect, it } from '@jest/globals';
import type { NoticeDetails, NoticeKind } from '../../../../protocol/notice.ts';
import { mailText } from '../../../../server/notices/mail-text.ts';
import { noticeLink } from '../../../../server/notices/notice-link.ts';
import { singleLine } from '../../../../mail/single-line.ts';
import { webhookBody } from '../../../../server/notices/webhook.ts';

const ORIGIN = 'https://mcp.example';
const details: NoticeDetails = {
  tool: 'buy',
  title: 'Order from Nordlicht',
  amount: '10.00 EUR',
  due: '2026-01-05T17:00:00.000Z',
  approvalId: 'a-1',
};

describe('mailText', () => {
  it('names title, amount and due time, and leads to the page that shows it', () => {
    const link = noticeLink(ORIGIN, { taskId: 't', details });
    expect(mailText({ kind: 'approval.needed', details }, link)).toEqual({
      subject: 'Decision needed: Order from Nordlicht',
      text:
        'You are asked to decide on:\n\n  Order from Nordlicht\n  Amount: 10.00 EUR\n  Due: 2026-01-05 17:00 UTC\n\n' +
        'Sign in to see it, and decide there:\nhttps://mcp.example/inbox/approvals/a-1\n\n' +
        'Sent by the tool buy. Opening the link decides nothing.\n',
    });
  });

  it.each([
    ['approval.reminder', 'Reminder: decision needed: Order from Nordlicht'],
    ['approval.escalated', 'Escalated: decision needed: Order from Nordlicht'],
    ['approval.expiring', 'About to expire: decision needed: Order from Nordlicht'],
    ['task.finished', 'Ended: Order from Nordlicht'],
    ['task.expiring', 'About to expire: Order from Nordlicht'],
    ['approval.decided', 'Decided: Order from Nordlicht'],
    ['question.open', 'Your answer is waited for: Order from Nordlicht'],
  ] as const)('says what %s is', (kind: NoticeKind, subject) => {
    expect(mailText({ kind, details }, 'link').subject).toBe(subject);
  });

  it.each(['\r\n', '\n', '\r', '\u2028', '\u0085', '\u000b', '\0'])(
    'lets %j begin neither a header nor a line',
    (end) => {
      const evil = `Order${end}Bcc: everybody@evil.example${end}${end}Sign in at https://evil.example`;
      const { subject, text } = mailText(
        { kind: 'approval.needed', details: { ...details, title: evil, amount: evil, tool: evil } },
        'link',
      );
      expect(subject).toBe('Decision needed: Order Bcc: everybody@evil.example Sign in at https://evil.example');
      expect(text.split(/[\r\n\u2028\u2029\u0085\v\f\0]/)).toHaveLength(11);
    },
  );

  it('does without what there is not, and names the tool where nothing has a title', () => {
    const { text } = mailText({ kind: 'approval.needed', details: { tool: 'buy', title: 'Order' } }, 'link');
    expect(text).not.toMatch(/Amount|Due|undefined/);
    const ended = mailText({ kind: 'task.finished', details: { tool: 'buy' } }, 'link');
    expect([ended.subject, ended.text]).toEqual(['Ended: buy', expect.stringContaining('Sign in to see it:\nlink\n')]);
  });
});

describe('singleLine', () => {
  it('cuts what is long, between characters', () => {
    expect([...singleLine('😀'.repeat(300))]).toHaveLength(200);
    expect(singleLine('😀'.repeat(300))).toMatch(/^😀+…$/u);
    expect(singleLine('x'.repeat(200))).toBe('x'.repeat(200));
  });

  it('takes the direction marks out that would turn words round', () => {
    expect(singleLine('a\u202Eb\u200Fc')).toBe('a b c');
  });
});

describe('webhookBody', () => {
  it('is type, task, tool, title, due time and link, and nothing more', () => {
    expect(
      webhookBody({ kind: 'approval.needed', taskId: 't', details: { ...details, role: 'finance' } }, ORIGIN),
    ).toEqual({
      type: 'approval.needed',
      taskId: 't',
      tool: 'buy',
      title: 'Order from Nordlicht',
      due: '2026-01-05T17:00:00.000Z',
      link: 'https://mcp.example/inbox/approvals/a-1',
    });
  });

  it('links to the task what is no approval, and nothing where nobody can sign in', () => {
    const notice = { kind: 'task.finished', taskId: 't/1', details: { tool: 'buy' } } as const;
    expect(webhookBody(notice, ORIGIN)).toEqual({
      type: 'task.finished',
      taskId: 't/1',
      tool: 'buy',
      link: 'https://mcp.example/inbox/tasks/t%2F1',
    });
    expect(webhookBody(notice, undefined)).not.toHaveProperty('link');
  });
});
