import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { withSynchronousContext } from '../../../server/temporal/synchronous-context.ts';
import { eventually } from '../../support/eventually.ts';

const DEADLINE_EXCEEDED = 4;
const CANCELLED = 1;

/** Takes every call and answers none. */
let silent: Http2Server;
let received: IncomingHttpHeaders[];
let sessions: ServerHttp2Session[];
let connection: Connection;

beforeEach(async () => {
  received = [];
  sessions = [];
  silent = createServer();
  silent.on('session', (session) => sessions.push(session));
  silent.on('stream', (_stream, headers) => received.push(headers));
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  const { port } = silent.address() as AddressInfo;
  connection = withSynchronousContext(Connection.lazy({ address: `127.0.0.1:${port}`, interceptors: [] }));
});

afterEach(async () => {
  await connection.close();
  for (const session of sessions) session.destroy();
  await new Promise((resolve) => silent.close(resolve));
});

async function expectCalls(count: number): Promise<void> {
  await eventually(() => {
    expect(received).toHaveLength(count);
  }, 10_000);
}

function describeNamespace(namespace: string, deadlineAt: number): Promise<unknown> {
  return connection.withDeadline(deadlineAt, () => connection.workflowService.describeNamespace({ namespace }));
}

describe('a connection with synchronous context', () => {
  it('ends a call at its deadline', async () => {
    await expect(describeNamespace('one', Date.now() + 2_000)).rejects.toMatchObject({ code: DEADLINE_EXCEEDED });
    expect(received[0]).toHaveProperty('grpc-timeout');
  });

  it('keeps deadline and namespace of calls apart that run at the same time', async () => {
    const ended: string[] = [];
    const call = async (namespace: string, budgetMs: number): Promise<void> => {
      await describeNamespace(namespace, Date.now() + budgetMs).catch(() => ended.push(namespace));
    };
    await Promise.all([call('long', 3_000), call('short', 1_500)]);
    expect(ended).toEqual(['short', 'long']);
    expect(received.map((headers) => headers['temporal-namespace'])).toEqual(['long', 'short']);
  });

  it('cancels a call by the signal that belongs to it', async () => {
    const control = new AbortController();
    const call = connection.withDeadline(Date.now() + 10_000, () =>
      connection.withAbortSignal(control.signal, () => connection.workflowService.getSystemInfo({})),
    );
    const ended = call.catch((error: unknown) => error);
    await expectCalls(1);
    control.abort();
    expect(await ended).toMatchObject({ code: CANCELLED });
  });

  it('leaves nothing behind for a call outside', async () => {
    const inside = describeNamespace('one', Date.now() + 20_000).catch(() => undefined);
    const outside = connection.workflowService.getSystemInfo({}).catch(() => undefined);
    await expectCalls(2);
    expect(received.map((headers) => 'grpc-timeout' in headers)).toEqual([true, false]);
    for (const session of sessions) session.destroy();
    await Promise.all([inside, outside]);
  });
});
