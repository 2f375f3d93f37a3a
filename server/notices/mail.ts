/** Notices by mail to the people of the approvers' file, each with a mail of their own. */
import type { MailConfig } from '../../mail/config.ts';
import { createMailer } from '../../mail/mailer.ts';
import type { NoticeOutbox, WaitingNotice } from '../../store/notice-outbox.ts';
import type { ReadableApprovals } from '../approvals/approval-source.ts';
import type { Links } from '../inbox/links.ts';
import { addresseesAmong } from './addressees.ts';
import { linkMailText, mailText, type MailText } from './mail-text.ts';
import { isForRequester } from '../../protocol/notice.ts';
import { taskPath } from '../inbox/paths.ts';
import { noticeLink } from './notice-link.ts';
import { SEND_WITHIN_MS, type NoticeSender } from './notice-sender.ts';

export interface MailParts extends Pick<ReadableApprovals, 'approvers' | 'signedOver'> {
  readonly config: MailConfig;
  readonly inboxOrigin: string;
  readonly outbox: Pick<NoticeOutbox, 'asked' | 'beginningOf'>;
  readonly desk: Pick<ReadableApprovals['desk'], 'read'>;
  readonly links: Pick<Links, 'addressOf'>;
}

/** After a call its caller waits for so long. */
const IS_THERE_FOR_MS = 5 * 60_000;

/** In the place of a subject: whoever is to hold the link. */
const LINK_HOLDER = 'holder of the link';

export function mailSender({ config, inboxOrigin, outbox, desk, links, ...source }: MailParts): NoticeSender {
  const { approvers } = source;
  const mailer = createMailer(config, SEND_WITHIN_MS);

  async function letterTo(notice: WaitingNotice): Promise<Letter | undefined> {
    if (notice.details.byLink === true) return letterToHolder(notice);
    const to = (await approvers()).find(({ subject }) => subject === notice.addressee)?.mail;
    const { kind, taskId } = notice;
    const link = isForRequester(kind) ? inboxOrigin + taskPath(taskId) : noticeLink(inboxOrigin, notice);
    return to === undefined ? undefined : { to, ...mailText(notice, link) };
  }

  /** Address and text of the link are read from the task: no notice in the database holds either. */
  async function letterToHolder({ taskId, kind, details }: WaitingNotice): Promise<Letter | undefined> {
    const { approvalId = '' } = details;
    const { workflowId } = await outbox.asked(taskId, approvalId);
    const found = workflowId === undefined ? undefined : await desk.read(workflowId);
    const approval = found?.open.find(({ id }) => id === approvalId);
    const link = found && approval && links.addressOf(found, approval);
    if (link === undefined || approval?.link === undefined) return undefined;
    return { to: approval.link.mail, ...linkMailText({ kind, details }, link) };
  }

  /** Whoever has called, if the file has an address of theirs. Of a task that was over soon they know already. */
  async function requesterOf({ taskId, kind, waitsMs }: WaitingNotice): Promise<readonly string[]> {
    const [begun, known] = await Promise.all([outbox.beginningOf(taskId), approvers()]);
    const requester = begun?.requester;
    if (begun === undefined || requester === undefined) return [];
    if (kind === 'task.finished' && Date.now() - waitsMs - begun.at < IS_THERE_FOR_MS) return [];
    return known
      .filter(({ subject, organisation, mail }) => {
        return mail !== undefined && subject === requester.subject && organisation === requester.organisation;
      })
      .map(({ subject }) => subject);
  }

  return {
    async addresseesOf(notice) {
      const { taskId, kind, details } = notice;
      if (isForRequester(kind)) return requesterOf(notice);
      const { approvalId, role, byLink } = details;
      if (approvalId === undefined) return [];
      if (byLink === true) return [LINK_HOLDER];
      const [asked, known] = await Promise.all([outbox.asked(taskId, approvalId), approvers()]);
      return addresseesAmong(known, role === undefined ? asked : { ...asked, roles: [role] }, source.signedOver);
    },
    async send(notice, signal) {
      const letter = await letterTo(notice);
      if (letter === undefined) return 'nobody';
      await mailer.send({ ...letter, messageId: mailer.messageIdOf(notice.id) }, signal);
      return 'sent';
    },
  };
}

interface Letter extends MailText {
  readonly to: string;
}
