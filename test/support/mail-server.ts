/** A real SMTP server that keeps what it is given. Of no test: who opens it closes it. */
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface CaughtMail {
  /** Of the envelope: to whom it goes, whatever the headers say. */
  readonly to: readonly string[];
  readonly headers: readonly string[];
  readonly body: string;
}

export interface MailCatcher {
  readonly url: URL;
  /** A test may empty it. */
  readonly caught: CaughtMail[];
  /** Addresses that it has never heard of. */
  readonly unknown: Set<string>;
  /** What becomes of the next mails, each once: taken and no word of it (`cut`, or `hold` until released), or not taken (`busy`). */
  readonly troubles: ('cut' | 'hold' | 'busy')[];
  /** Mails that it has taken without a word. */
  heldCount(): number;
  /** Lets go whom it holds. */
  release(): void;
}

/** `port`: 0 takes any free one. */
export async function openMailServer(port = 0): Promise<MailCatcher & { close(): Promise<void> }> {
  const caught: CaughtMail[] = [];
  const unknown = new Set<string>();
  const troubles: MailCatcher['troubles'] = [];
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _, done) {
      done(unknown.has(address) ? Object.assign(new Error('no such user'), { responseCode: 550 }) : null);
    },
    onData(stream, { envelope }, done) {
      text(stream).then((raw) => {
        const trouble = troubles.shift();
        if (trouble === 'busy') {
          done(Object.assign(new Error('try again later'), { responseCode: 451 }));
          return;
        }
        const [head = '', ...rest] = raw.split('\r\n\r\n');
        const headers = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
        caught.push({ to: envelope.rcptTo.map(({ address }) => address), headers, body: rest.join('\r\n\r\n') });
        if (trouble === 'cut') for (const socket of sockets) socket.destroy();
        else if (trouble === 'hold') held.push(done);
        else done();
      }, done);
    },
  });
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: bound } = server.server.address() as AddressInfo;
  return {
    url: new URL(`smtp://127.0.0.1:${String(bound)}`),
    caught,
    unknown,
    troubles,
    heldCount: () => held.length,
    release: () => {
      for (const letGo of held.splice(0)) letGo();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
