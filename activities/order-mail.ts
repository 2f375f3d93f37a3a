/**
 * Orders by mail to their vendors. SMTP has no key by which a server would know a mail again: one whose fate nobody knows (a lost
 * reply, a killed worker) is sent again under the same Message-ID, so that it arrives at least once and can be told as the same.
 */
import { activityInfo, cancellationSignal, Context, log, sleep } from '@temporalio/activity';
import { createMailer, type Mailer, type OutgoingMail } from '../mail/mailer.ts';
import type { MailConfig } from '../mail/config.ts';
import type { BlobStore, FileOwner } from '../store/blobs.ts';
import { withHeartbeats } from './attempt.ts';
import { cancellationText, orderMailText, type MailedOrder } from './order-mail-text.ts';

/**
 * `unknown`: it may have arrived. Of all others but `sent` it is certain that it has not: there is no mail server (`off`), it
 * says no to the mail for good (`refused`), or it could not be brought to take it in time (`unreachable`).
 */
export type MailOutcome =
  | { readonly kind: 'sent' | 'unknown'; readonly messageId: string }
  | { readonly kind: 'off' | 'refused' | 'unreachable' };

export interface VendorLetter {
  /** From the purchase policy. */
  readonly to: string;
  readonly owner: FileOwner;
  readonly order: MailedOrder;
}

export interface OrderMailActivities {
  /** `fileName`: the PDF of the order among the task's files. */
  readonly mailOrder: (args: VendorLetter & { readonly fileName: string }) => Promise<MailOutcome>;
  /** Takes an order back that `mailOrder` has sent, or may have. */
  readonly mailCancellation: (args: VendorLetter) => Promise<MailOutcome>;
}

interface Dependencies {
  /** Absent: there is no mail server. */
  readonly mail?: MailConfig | undefined;
  readonly blobs: BlobStore;
  /** Counts from when the step was due, over all attempts. */
  readonly giveUpAfterMs?: number;
  /** Between the first two tries; doubles up to a minute. */
  readonly firstPauseMs?: number;
}

const LONGEST_PAUSE_MS = 60_000;
const SEND_WITHIN_MS = 30_000;

const SENDING = 'Mailing the order to the vendor';
const CANCELLING = 'Telling the vendor by mail that the order is cancelled';
const TRYING_AGAIN = 'The mail server does not take the mail at the moment; the order is placed, trying again';

export function createOrderMailActivities(dependencies: Dependencies): OrderMailActivities {
  const { mail, blobs, giveUpAfterMs = 600_000, firstPauseMs = 1_000 } = dependencies;
  const server = mail === undefined ? undefined : createMailer(mail, SEND_WITHIN_MS);

  async function deliver(
    mailer: Mailer,
    { words, mailOf }: { words: string; mailOf: () => Promise<OutgoingMail> },
    messageId: string,
  ): Promise<MailOutcome> {
    const { attempt, scheduledTimestampMs } = activityInfo();
    // An earlier attempt may have handed it over and died before it could say so.
    let isUnknown = attempt > 1;
    return withHeartbeats(words, async (say) => {
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
        const trouble = await mailOf()
          .then((outgoing) => mailer.send(outgoing, cancellationSignal()))
          .catch(troubleOf);
        if (trouble === undefined) return { kind: 'sent', messageId };
        if (cancellationSignal().aborted) await Context.current().cancelled;
        log.warn('a mail to a vendor was not taken', { ...trouble });
        isUnknown ||= trouble.mayHaveArrived;
        if (trouble.isFinal || Date.now() - scheduledTimestampMs > giveUpAfterMs) {
          if (isUnknown) return { kind: 'unknown', messageId };
          return { kind: trouble.isFinal ? 'refused' : 'unreachable' };
        }
        say(TRYING_AGAIN);
        await sleep(pauseMs);
      }
    });
  }

  async function paperOf(
    owner: FileOwner,
    filename: string,
  ): Promise<NonNullable<OutgoingMail['attachments']>[number]> {
    const found = await blobs.read(owner, filename).catch(() => undefined);
    if (found === undefined) throw new NoPaper();
    return { filename, contentType: found.file.mimeType, content: Buffer.from(found.bytes) };
  }

  return {
    async mailOrder({ to, owner, order, fileName }) {
      if (server === undefined) return { kind: 'off' };
      const messageId = server.messageIdOf(orderId(owner));
      const mailOf = async (): Promise<OutgoingMail> => {
        return { to, messageId, ...orderMailText(order), attachments: [await paperOf(owner, fileName)] };
      };
      return deliver(server, { words: SENDING, mailOf }, messageId);
    },

    async mailCancellation({ to, owner, order }) {
      if (server === undefined) return { kind: 'off' };
      const messageId = server.messageIdOf(`cancelled.${owner.taskId}`);
      const inReplyTo = server.messageIdOf(orderId(owner));
      const mailOf = async (): Promise<OutgoingMail> => ({ to, messageId, inReplyTo, ...cancellationText(order) });
      return deliver(server, { words: CANCELLING, mailOf }, messageId);
    },
  };
}

function orderId({ taskId }: FileOwner): string {
  return `order.${taskId}`;
}

/** The file that was just written cannot be read: nothing was sent. */
class NoPaper extends Error {
  override readonly name = 'NoPaper';
}

/** For the log as well: of what the server said only the numbers, because the rest may name people. */
interface Trouble {
  readonly code: string;
  readonly response?: number;
  readonly mayHaveArrived: boolean;
  readonly isFinal: boolean;
}

/** A reply that is an error, and a connection that never stood, leave nothing behind; of all else nobody can be sure. */
function troubleOf(error: unknown): Trouble {
  if (error instanceof NoPaper) return { code: 'no paper', mayHaveArrived: false, isFinal: false };
  const {
    code = 'unknown',
    responseCode,
    syscall,
  } = error as {
    code?: string;
    responseCode?: number;
    syscall?: string;
  };
  if (responseCode !== undefined) {
    // A server that does not know us may know us again: that is for its operator to mend.
    const isFinal = responseCode >= 500 && code !== 'EAUTH';
    return { code, response: responseCode, mayHaveArrived: false, isFinal };
  }
  const neverConnected = syscall === 'connect' || code === 'EDNS';
  return { code, mayHaveArrived: !neverConnected, isFinal: false };
}
