/**
 * Notices to a system of the operator, signed as Standard Webhooks are: whoever has the secret knows that it comes from here, and by
 * the id that it has come before.
 */
import { Webhook } from 'standardwebhooks';
import type { Notice } from '../../protocol/notice.ts';
import type { WebhookConfig } from './config.ts';
import { noticeLink } from './notice-link.ts';
import { SEND_WITHIN_MS, type NoticeSender } from './notice-sender.ts';

/** `inboxOrigin` absent: nobody can sign in, so nothing is linked. */
export function webhookSender({ url, secret }: WebhookConfig, inboxOrigin: string | undefined): NoticeSender {
  const webhook = new Webhook(secret);
  return {
    async send(notice, signal) {
      const id = `msg_${notice.id}`;
      const at = new Date();
      const body = JSON.stringify(webhookBody(notice, inboxOrigin));
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'durable-mcp-tasks',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': webhook.sign(id, at, body),
        },
        body,
        // Whoever answers chooses no other receiver.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_WITHIN_MS)]),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the receiver answered ${response.status}`);
      return 'sent';
    },
  };
}

/** All that leaves. Of an approval the title and until when; nothing of the content. */
export function webhookBody(
  notice: Pick<Notice, 'kind' | 'taskId' | 'details'>,
  inboxOrigin: string | undefined,
): Readonly<Record<string, string>> {
  const { kind, taskId, details } = notice;
  const { tool, title, due } = details;
  return {
    type: kind,
    taskId,
    tool,
    ...(title === undefined ? {} : { title }),
    ...(due === undefined ? {} : { due }),
    ...(inboxOrigin === undefined ? {} : { link: noticeLink(inboxOrigin, notice) }),
  };
}
