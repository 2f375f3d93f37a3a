import type { WaitingNotice } from '../../store/notice-outbox.ts';

/** One way out of here. */
export interface NoticeSender {
  /** Those to whom it goes, each on their own. Absent: there is one receiver, who has no name. */
  readonly addresseesOf?: (notice: WaitingNotice) => Promise<readonly string[]>;
  /**
   * Within 5 s, or until `signal` aborts. Resolves when the other side has taken it, or when there is nobody any more to send it to.
   * @throws whatever kept it from arriving; the message holds nothing of a secret
   */
  send(notice: WaitingNotice, signal: AbortSignal): Promise<'sent' | 'nobody'>;
}

export const SEND_WITHIN_MS = 5_000;
