import { describe, expect, it } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createOrderMailActivities, type OrderMailActivities } from '../../../activities/order-mail.ts';
import { FolderBlobStore } from '../../../store/folder-blobs.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { startMailCatcher, type CaughtMail } from '../../support/mail-catcher.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OWNER = { caller: 'c'.repeat(32), taskId: 'AAAAAAAAAAAAAAAAAAAAAA' };
const ORDER = { number: 'PO-450001', vendor: 'Kabel & Kontakt OHG', total: '223.50', currency: 'EUR' };
const LETTER = { to: 'orders@kabel.example', owner: OWNER, order: ORDER, fileName: 'purchase-order-PO-450001.pdf' };
const ORDER_ID = '<order.AAAAAAAAAAAAAAAAAAAAAA@buyer.example>';

async function activitiesFor(
  smtpUrl: URL | undefined,
  { hasFile = true, giveUpAfterMs = 1_000 } = {},
): Promise<OrderMailActivities> {
  const blobs = new FolderBlobStore(await temporaryFolder());
  const file = { name: LETTER.fileName, mimeType: 'application/pdf', bytes: Buffer.from('%PDF-1.3 paper') };
  if (hasFile) await blobs.put(OWNER, file);
  const mail = smtpUrl === undefined ? undefined : { smtpUrl, from: 'purchasing@buyer.example' };
  return createOrderMailActivities({ mail, blobs, giveUpAfterMs, firstPauseMs: 50 });
}

function runAttempt<Args, Result>(activity: (args: Args) => Promise<Result>, args: Args, attempt = 1): Promise<Result> {
  return new MockActivityEnvironment({ attempt, scheduledTimestampMs: Date.now() }).run(activity, args);
}

function header({ headers }: CaughtMail, name: string): string | undefined {
  return headers.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
}

describe('mailOrder', () => {
  it('sends number, total and the PDF, under an id that is the task’s', async () => {
    const mails = await startMailCatcher();
    const { mailOrder } = await activitiesFor(mails.url);
    expect(await runAttempt(mailOrder, LETTER)).toEqual({ kind: 'sent', messageId: ORDER_ID });
    const [mail] = mails.caught;
    expect(mail!.to).toEqual(['orders@kabel.example']);
    expect(['From', 'To', 'Subject', 'Message-ID', 'Auto-Submitted'].map((name) => header(mail!, name))).toEqual([
      'purchasing@buyer.example',
      'orders@kabel.example',
      'Purchase order PO-450001',
      ORDER_ID,
      'auto-generated',
    ]);
    expect(mail!.body).toContain('To Kabel & Kontakt OHG');
    expect(mail!.body).toContain('for 223.50 EUR in total');
    expect(mail!.body).toContain(Buffer.from('%PDF-1.3 paper').toString('base64'));
  });

  it('has nothing to send with when there is no mail server', async () => {
    const { mailOrder, mailCancellation } = await activitiesFor(undefined);
    expect([await runAttempt(mailOrder, LETTER), await runAttempt(mailCancellation, LETTER)]).toEqual([
      { kind: 'off' },
      { kind: 'off' },
    ]);
  });

  it('is sure that nothing arrived when no server was there, or it never took the mail', async () => {
    const nobody = await activitiesFor(new URL(`smtp://127.0.0.1:${await freePort()}`));
    expect(await runAttempt(nobody.mailOrder, LETTER)).toEqual({ kind: 'unreachable' });
    const mails = await startMailCatcher();
    mails.troubles.push(...Array.from({ length: 50 }, () => 'busy' as const));
    expect(await runAttempt((await activitiesFor(mails.url)).mailOrder, LETTER)).toEqual({ kind: 'unreachable' });
    expect(mails.caught).toEqual([]);
  });

  it('is not sure when an earlier attempt may have sent it', async () => {
    const { mailOrder } = await activitiesFor(new URL(`smtp://127.0.0.1:${await freePort()}`));
    expect(await runAttempt(mailOrder, LETTER, 2)).toEqual({ kind: 'unknown', messageId: ORDER_ID });
  });

  it('gives up at once on an address that is refused, and does not take that for the fate of an earlier attempt', async () => {
    const mails = await startMailCatcher();
    mails.unknown.add(LETTER.to);
    const { mailOrder } = await activitiesFor(mails.url);
    expect(await runAttempt(mailOrder, LETTER)).toEqual({ kind: 'refused' });
    expect(await runAttempt(mailOrder, LETTER, 2)).toEqual({ kind: 'unknown', messageId: ORDER_ID });
  });

  it('sends it again under the same id when nobody said whether it was taken', async () => {
    const mails = await startMailCatcher();
    mails.troubles.push('cut');
    const { mailOrder } = await activitiesFor(mails.url, { giveUpAfterMs: 30_000 });
    expect(await runAttempt(mailOrder, LETTER)).toEqual({ kind: 'sent', messageId: ORDER_ID });
    expect(mails.caught.map((mail) => header(mail, 'Message-ID'))).toEqual([ORDER_ID, ORDER_ID]);
  });

  it('counts the time of all attempts, and says meanwhile that the order is placed', async () => {
    const nobody = new URL(`smtp://127.0.0.1:${await freePort()}`);
    const { mailOrder } = await activitiesFor(nobody, { giveUpAfterMs: 30_000 });
    const environment = new MockActivityEnvironment({ scheduledTimestampMs: Date.now() - 25_000 });
    const messages = new Set<string>();
    environment.on('heartbeat', ({ message }: { message: string }) => messages.add(message));
    const startedAt = performance.now();
    expect(await environment.run(mailOrder, LETTER)).toEqual({ kind: 'unreachable' });
    expect(performance.now() - startedAt).toBeLessThan(25_000);
    expect([...messages]).toEqual([expect.stringMatching(/^Mailing/), expect.stringContaining('the order is placed')]);
  });

  it('sends no order without its PDF', async () => {
    const mails = await startMailCatcher();
    const { mailOrder } = await activitiesFor(mails.url, { hasFile: false });
    expect(await runAttempt(mailOrder, LETTER)).toEqual({ kind: 'unreachable' });
    expect(mails.caught).toEqual([]);
  });

  it('leaves off when the worker stops, for another attempt', async () => {
    const mails = await startMailCatcher();
    mails.troubles.push('hold');
    const { mailOrder } = await activitiesFor(mails.url);
    const environment = new MockActivityEnvironment({ scheduledTimestampMs: Date.now() });
    const sending = environment.run(mailOrder, LETTER);
    await eventually(() => mails.heldCount() === 1);
    environment.cancel('WORKER_SHUTDOWN');
    await expect(sending).rejects.toThrow('WORKER_SHUTDOWN');
  });
});

describe('mailCancellation', () => {
  it('belongs to the mail of the order', async () => {
    const mails = await startMailCatcher();
    const { mailCancellation } = await activitiesFor(mails.url);
    const messageId = '<cancelled.AAAAAAAAAAAAAAAAAAAAAA@buyer.example>';
    expect(await runAttempt(mailCancellation, LETTER)).toEqual({ kind: 'sent', messageId });
    const [mail] = mails.caught;
    expect(['Subject', 'In-Reply-To', 'References'].map((name) => header(mail!, name))).toEqual([
      'Cancelled: purchase order PO-450001',
      ORDER_ID,
      ORDER_ID,
    ]);
  });
});
