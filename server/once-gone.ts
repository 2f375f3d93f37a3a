/** When nobody is left to read an answer. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One listener a connection, however many answers wait on it. */
const endings = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `run` once: when `response` is over, or its connection is; now, when that was before. The event of the response alone is
 * not enough: it does not come again for who asks late, and an answer that waits behind another one on its connection never has it.
 *
 * @returns how to call it off
 */
export function onceGone(response: ServerResponse, run: () => void): () => void {
  const { socket } = response.req;
  if (response.closed || socket.destroyed) {
    run();
    return () => undefined;
  }
  const ofSocket = endingsOf(socket);
  const callOff = (): void => {
    ofSocket.delete(end);
    response.off('close', end);
  };
  const end = (): void => {
    callOff();
    run();
  };
  ofSocket.add(end);
  response.on('close', end);
  return callOff;
}

function endingsOf(socket: Socket): Set<() => void> {
  const known = endings.get(socket);
  if (known !== undefined) return known;
  const made = new Set<() => void>();
  endings.set(socket, made);
  socket.once('close', () => {
    for (const end of made) end();
  });
  return made;
}
