/** Receives webhooks over real HTTP, and takes none that the secret has not signed. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { atScopeEnd } from './scope.ts';

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export interface ReceivedWebhook {
  /** `webhook-id`. */
  readonly id: string;
  /** At which it came in, such as `/hook`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface WebhookReceiver {
  readonly url: URL;
  /** Whose signature is right, in the order in which they came. */
  readonly received: readonly ReceivedWebhook[];
  /** Whose signature is not. */
  readonly forged: readonly unknown[];
  /** `type taskId` of each. */
  told(): readonly string[];
  /** What the next ones are answered with. */
  answer: (response: ServerResponse) => void;
}

/** On `port`, or any; it ends with the test or file that started it. */
export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const webhook = new Webhook(WEBHOOK_SECRET);
  const received: ReceivedWebhook[] = [];
  const forged: unknown[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      try {
        const body = webhook.verify(text, request.headers as Record<string, string>) as ReceivedWebhook['body'];
        received.push({ id, path: request.url ?? '', body });
      } catch (error) {
        forged.push(error);
      }
      receiver.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  atScopeEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const receiver: WebhookReceiver = {
    url: new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`),
    received,
    forged,
    told: () => received.map(({ body }) => `${String(body['type'])} ${String(body['taskId'])}`),
    answer: (response) => response.writeHead(204).end(),
  };
  return receiver;
}
