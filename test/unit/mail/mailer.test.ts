import { describe, expect, it } from '@jest/globals';
import { readMail } from '../../../mail/config.ts';
import { createMailer, type OutgoingMail } from '../../../mail/mailer.ts';
import { startMailCatcher } from '../../support/mail-catcher.ts';

const MAIL = {
  to: 'orders@vendor.example',
  subject: 'Purchase order PO-1',
  text: 'Hello\n',
  messageId: '<1@b.example>',
};
const NEVER = new AbortController().signal;

describe('a mailer', () => {
  it.each<[keyof OutgoingMail, Partial<OutgoingMail>]>([
    ['subject', { subject: 'PO-1\r\nBcc: thief@bad.example\r\n\r\nOther text' }],
    ['text', { text: '\r\n.\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<thief@bad.example>\r\n' }],
    ['messageId', { messageId: '<1@b.example>\r\nBcc: thief@bad.example' }],
    ['inReplyTo', { inReplyTo: '<1@b.example>\r\nBcc: thief@bad.example' }],
    [
      'attachments',
      {
        attachments: [
          { filename: 'a\r\nBcc: thief@bad.example', contentType: 'text/plain', content: Buffer.from('x') },
        ],
      },
    ],
  ])('lets no header and no receiver in by the %s', async (_, overrides) => {
    const mails = await startMailCatcher();
    const mailer = createMailer({ smtpUrl: mails.url, from: 'purchasing@buyer.example' }, 5_000);
    await mailer.send({ ...MAIL, ...overrides }, NEVER);
    expect(mails.caught.map(({ to }) => to)).toEqual([['orders@vendor.example']]);
    expect(mails.caught[0]!.headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
  });

  it('refuses an address that holds more than one', async () => {
    const mails = await startMailCatcher();
    const mailer = createMailer({ smtpUrl: mails.url, from: 'purchasing@buyer.example' }, 5_000);
    for (const to of ['a@x.example, thief@bad.example', 'a@x.example>\r\nRCPT TO:<thief@bad.example']) {
      await mailer.send({ ...MAIL, to }, NEVER).catch(() => undefined);
    }
    expect(mails.caught.flatMap(({ to }) => to).filter((to) => to === 'thief@bad.example')).toEqual([]);
  });

  it('stops waiting when it is told to', async () => {
    const mails = await startMailCatcher();
    mails.troubles.push('hold');
    const mailer = createMailer({ smtpUrl: mails.url, from: 'purchasing@buyer.example' }, 60_000);
    await expect(mailer.send(MAIL, AbortSignal.timeout(200))).rejects.toThrow('in time');
  });
});

describe('readMail', () => {
  const BOTH = { SMTP_URL: 'smtps://user:hush@mail.example:465', MAIL_FROM: 'purchasing@buyer.example' };

  it('has no server unless one is named', async () => {
    expect(await readMail({ MAIL_FROM: BOTH.MAIL_FROM })).toBeUndefined();
    expect(await readMail(BOTH)).toEqual({ smtpUrl: new URL(BOTH.SMTP_URL), from: BOTH.MAIL_FROM });
  });

  it('tells of every problem at once, and nothing of a secret', async () => {
    const reading = readMail({ SMTP_URL: 'https://user:hush@mail.example', MAIL_FROM: 'us' });
    await expect(reading).rejects.toThrow(/MAIL_FROM: must be a mail address[^]*SMTP_URL: must be a URL/);
    await expect(reading).rejects.not.toThrow('hush');
  });
});
