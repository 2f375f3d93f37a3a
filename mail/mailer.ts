/** Mail to one address at a time, handed to the mail server. */
import { createTransport } from 'nodemailer';
import type { MailConfig } from './config.ts';

export interface OutgoingMail {
  /** An address without a name, never taken from whom it is about. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
  /** `Message-ID` of the mail that this one belongs to. */
  readonly inReplyTo?: string;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Buffer;
  }[];
}

export interface Mailer {
  /** The same for the same `id`, so that a mail that is sent twice can be told from another one. */
  messageIdOf(id: string): string;
  /** Resolves when the server has taken it. @throws also when `signal` aborts, or it takes too long: it may be taken then */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
}

export function createMailer({ smtpUrl, from }: MailConfig, withinMs: number): Mailer {
  const transport = createTransport({
    url: smtpUrl.href,
    connectionTimeout: withinMs,
    greetingTimeout: withinMs,
    socketTimeout: withinMs,
    // Texts of ours are never a path or an address of something to send along.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    messageIdOf: (id) => `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    async send({ to, inReplyTo, attachments = [], ...mail }, signal) {
      const sending = transport.sendMail({
        from,
        to: { name: '', address: to },
        ...mail,
        ...(inReplyTo === undefined ? {} : { inReplyTo, references: inReplyTo }),
        attachments: [...attachments],
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      await Promise.race([sending, aborted(AbortSignal.any([signal, AbortSignal.timeout(withinMs)]))]);
    },
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new Error('the mail server did not take it in time'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
