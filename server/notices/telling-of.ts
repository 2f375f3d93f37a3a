/** What a front tells, as its configuration says. */
import type { NoticeChannel } from '../../protocol/notice.ts';
import { NoticeOutbox } from '../../store/notice-outbox.ts';
import type { Store } from '../../store/open-store.ts';
import type { ApprovalDesk } from '../approvals/approval-desk.ts';
import type { ReadableApprovals } from '../approvals/approval-source.ts';
import type { Config } from '../config.ts';
import { createLinks } from '../inbox/links.ts';
import { expiryOf } from './expiry.ts';
import { mailSender } from './mail.ts';
import type { NoticeSender } from './notice-sender.ts';
import { keepTelling, type Telling } from './telling.ts';
import { webhookSender } from './webhook.ts';

export interface TellingOptions extends Pick<Telling, 'metrics' | 'log' | 'signal'> {
  readonly config: Pick<Config, 'notices' | 'principalRing'>;
  readonly database: Store;
  readonly desk: Pick<ApprovalDesk, 'read'>;
  /** Absent: nobody decides, and nothing leads to an inbox. */
  readonly approvals: Pick<ReadableApprovals, 'approvers' | 'inboxUrl' | 'signedOver' | 'desk'> | undefined;
}

/** Begins once the front listens; runs until `signal` aborts. */
export async function startTelling({ config, database, desk, approvals, ...telling }: TellingOptions): Promise<void> {
  const { mail, webhook } = config.notices;
  try {
    await database.migrated;
  } catch {
    // It has been told already, and without the tables there is nothing to send.
    return;
  }
  const outbox = new NoticeOutbox(database.db);
  const inboxOrigin = approvals?.inboxUrl().origin;
  const senders = new Map<NoticeChannel, NoticeSender>();
  if (webhook !== undefined) senders.set('webhook', webhookSender(webhook, inboxOrigin));
  if (mail !== undefined && approvals !== undefined && inboxOrigin !== undefined) {
    const links = createLinks(config.principalRing, () => inboxOrigin);
    senders.set('mail', mailSender({ ...approvals, config: mail, inboxOrigin, outbox, links }));
  }
  await keepTelling({ outbox, senders, expiryOf: (taskId) => expiryOf({ outbox, desk }, taskId), ...telling });
}
