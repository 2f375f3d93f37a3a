import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Told } from '../../../server/approvals/approval-watch.ts';
import { LiveStreams, type LiveLimits } from '../../../server/inbox/live-streams.ts';
import { eventually } from '../../support/eventually.ts';

const GET = 'GET /ann/1 HTTP/1.1\r\nhost: x\r\n\r\n';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

interface Ground {
  readonly url: string;
  readonly watchers: ReadonlySet<(told: Told) => void>;
  readonly streams: LiveStreams;
  readonly stopping: AbortController;
  readonly tell: () => void;
}

/** A server each of whose answers is a stream: of the person and the sign-in that the path names. */
async function open(limits: Partial<LiveLimits> = {}): Promise<Ground> {
  const watchers = new Set<(told: Told) => void>();
  const watch = {
    watch: (tell: (told: Told) => void) => {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
  };
  const streams = new LiveStreams(watch, limits);
  const stopping = new AbortController();
  const server = createServer((request, response) => {
    const [, principal = '', csrf = ''] = (request.url ?? '').split('/');
    if (streams.hasRoomFor(principal)) {
      streams.serve(response, { principal, csrf, isMine: () => true, signal: stopping.signal });
    } else {
      response.writeHead(429).end();
    }
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url,
    watchers,
    streams,
    stopping,
    tell: () => {
      for (const watcher of watchers) watcher('anything');
    },
  };
}

/** Ends with its own end. */
async function textOf(answer: Response): Promise<string> {
  return answer.text();
}

describe('a stream of an open page', () => {
  it('says that something has changed, and nothing else', async () => {
    const { url, tell, stopping } = await open();
    const answer = await fetch(`${url}/ann/1`);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    tell();
    stopping.abort();
    expect(await textOf(answer)).toBe('event: message\ndata: {"changed":true}\n\n');
  });

  it('is kept alive, and is over after its time', async () => {
    const { url, watchers } = await open({ lifeMs: 200, keepAliveMs: 20 });
    expect(await textOf(await fetch(`${url}/ann/1`))).toMatch(/^(: keepalive\n\n)+$/);
    expect(watchers.size).toBe(0);
  });

  it('is refused above what one person, and all of them together, may have open', async () => {
    const { url, streams, watchers } = await open({ streams: 3, streamsPerPerson: 2 });
    const first = await fetch(`${url}/ann/1`);
    await fetch(`${url}/ann/1`);
    expect((await fetch(`${url}/ann/1`)).status).toBe(429);
    expect((await fetch(`${url}/ben/1`)).status).toBe(200);
    expect((await fetch(`${url}/cy/1`)).status).toBe(429);
    await first.body?.cancel();
    await eventually(() => watchers.size === 2 && streams.hasRoomFor('cy'));
  });

  it('that waits behind another one is over with their connection', async () => {
    const { url, watchers } = await open();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(GET.repeat(3));
    await eventually(() => watchers.size === 3);
    socket.destroy();
    await eventually(() => watchers.size === 0);
  });

  it('is over at once for who has left before it began', async () => {
    const ground = await open();
    const { watchers, streams } = ground;
    const response = await new Promise<ServerResponse>((resolve) => {
      const server = createServer((_, answer) => answer.once('close', () => resolve(answer)).socket?.destroy());
      servers.push(server);
      server.listen(0, '127.0.0.1', () =>
        connect((server.address() as AddressInfo).port)
          .end(GET)
          .resume(),
      );
    });
    const { signal } = ground.stopping;
    streams.serve(response, { principal: 'ann', csrf: '1', isMine: () => true, signal });
    expect(watchers.size).toBe(0);
  });

  it('says nothing more once it has ended, also where another one is to be heard before', async () => {
    const { url, watchers, streams } = await open({ keepAliveMs: 10 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    let read = '';
    socket.on('data', (bytes: Buffer) => (read += bytes.toString()));
    socket.write(GET + GET.replace('/1', '/2'));
    await eventually(() => watchers.size === 2);
    streams.endOf('2');
    const heard = read.length;
    await eventually(() => read.slice(heard).split(': keepalive').length > 5);
    expect(read.match(/^HTTP\/1.1 /gm)).toHaveLength(1);
    socket.destroy();
    await eventually(() => watchers.size === 0);
  });

  it('ends with the sign-in that it belongs to', async () => {
    const { url, streams, watchers } = await open();
    const [gone, stays] = [await fetch(`${url}/ann/1`), await fetch(`${url}/ann/2`)];
    streams.endOf('1');
    expect(await textOf(gone)).toBe('');
    await eventually(() => watchers.size === 1);
    await stays.body?.cancel();
  });

  it('is cut off when nobody reads it, and keeps nothing meanwhile', async () => {
    const { url, tell, watchers } = await open({ blockedMs: 100 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(GET);
    socket.pause();
    await eventually(() => watchers.size === 1);
    await eventually(async () => {
      // Each of them is written before the next one is told.
      for (let turn = 0; turn < 40_000; turn += 1) {
        if (turn % 8 === 0) tell();
        await Promise.resolve();
      }
      return watchers.size === 0;
    }, 60_000);
    socket.destroy();
  });
});
