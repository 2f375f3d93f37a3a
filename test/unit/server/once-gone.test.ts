import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { onceGone } from '../../../server/once-gone.ts';
import { eventually } from '../../support/eventually.ts';
import { atScopeEnd } from '../../support/scope.ts';

const MANY = 30;

/** A response that nobody has answered yet, and how its client hangs up. */
async function openResponse(): Promise<{ response: ServerResponse; hangUp: () => void }> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  atScopeEnd(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1', agent: false });
  client.on('error', () => undefined);
  const response = await new Promise<ServerResponse>((resolve) => {
    server.once('request', (_request, opened) => resolve(opened));
    client.end();
  });
  return { response, hangUp: () => client.destroy() };
}

it.each([
  ['the client hangs up', (_response: ServerResponse, hangUp: () => void) => hangUp()],
  ['the answer is sent', (response: ServerResponse) => void response.end('done')],
])('tells everybody once when %s, with one listener for all of them', async (_how, endIt) => {
  const { response, hangUp } = await openResponse();
  const before = response.listenerCount('close');
  const told: number[] = [];
  const callOffs = Array.from({ length: MANY }, (_, index) => onceGone(response, () => told.push(index)));
  expect(response.listenerCount('close')).toBe(before + 1);
  callOffs[0]?.();
  endIt(response, hangUp);
  await eventually(() => told.length === MANY - 1);
  hangUp();
  await eventually(() => response.req.socket.destroyed);
  expect(told).toEqual(Array.from({ length: MANY - 1 }, (_, index) => index + 1));
  onceGone(response, () => told.push(MANY));
  expect(told.at(-1)).toBe(MANY);
});
