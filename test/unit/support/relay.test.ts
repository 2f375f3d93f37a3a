import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRelay, type Relay } from '../../support/relay.ts';

let echo: Server;
let relay: Relay;
const open = new Set<Socket>();

beforeEach(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  relay = await createRelay((echo.address() as AddressInfo).port);
});

afterEach(async () => {
  for (const socket of open) socket.destroy();
  open.clear();
  await relay.close();
  echo.close();
});

async function dial(): Promise<Socket> {
  const socket = connect(relay.port, '127.0.0.1');
  open.add(socket);
  socket.setEncoding('utf8');
  await once(socket, 'connect');
  return socket;
}

async function roundTrip(socket: Socket, text: string): Promise<unknown> {
  socket.write(text);
  const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(2_000) })) as [unknown];
  return answer;
}

/** What a socket hears within `ms`, or `undefined`. */
async function heardWithin(socket: Socket, ms: number): Promise<unknown> {
  return once(socket, 'data', { signal: AbortSignal.timeout(ms) }).then(
    ([chunk]) => chunk as unknown,
    () => undefined,
  );
}

describe('createRelay', () => {
  it('passes bytes both ways', async () => {
    expect(await roundTrip(await dial(), 'hello')).toBe('hello');
  });

  it('cut resets what stands and lets new connections through', async () => {
    const socket = await dial();
    await roundTrip(socket, 'a');
    const broken = once(socket, 'error');
    relay.cut();
    expect((await broken)[0]).toMatchObject({ code: 'ECONNRESET' });
    expect(await roundTrip(await dial(), 'again')).toBe('again');
  });

  it('refuse turns new connections away until it is restored', async () => {
    await relay.refuse();
    await expect(dial()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await relay.restore();
    expect(await roundTrip(await dial(), 'back')).toBe('back');
  });

  it('delay holds each way up by that much', async () => {
    const socket = await dial();
    relay.delay(60);
    const startedAt = Date.now();
    await roundTrip(socket, 'slow');
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(118);
  });

  it.each(['toTarget', 'toClient'] as const)(
    'blackhole %s holds bytes back and restore delivers them in order',
    async (way) => {
      const socket = await dial();
      await roundTrip(socket, 'a');
      relay.blackhole(way);
      socket.write('one,');
      socket.write('two');
      expect(await heardWithin(socket, 100)).toBeUndefined();
      let heard = '';
      socket.on('data', (chunk: string) => (heard += chunk));
      const complete = new Promise<void>((resolve) => {
        socket.on('data', () => {
          if (heard.length === 7) resolve();
        });
      });
      await relay.restore();
      await complete;
      expect(heard).toBe('one,two');
    },
  );

  it('blackhole hides the end of a connection from the other side', async () => {
    const reached = once(echo, 'connection') as Promise<[Socket]>;
    const socket = await dial();
    const [server] = await reached;
    relay.blackhole('toTarget');
    socket.destroy();
    const told = once(server, 'end', { signal: AbortSignal.timeout(100) }).then(
      () => true,
      () => false,
    );
    expect(await told).toBe(false);
  });
});
