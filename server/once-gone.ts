/** When nobody is left to read an answer. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** One listener each, however many wait for the end of a response or of its connection. */
const endings = new WeakMap<ServerResponse | Socket, Set<() => void>>();

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
  const places = [endingsOf(response), endingsOf(socket)];
  const callOff = (): void => {
    for (const place of places) place.delete(end);
  };
  const end = (): void => {
    callOff();
    run();
  };
  for (const place of places) place.add(end);
  return callOff;
}

function endingsOf(ending: ServerResponse | Socket): Set<() => void> {
  const known = endings.get(ending);
  if (known !== undefined) return known;
  const made = new Set<() => void>();
  endings.set(ending, made);
  ending.once('close', () => {
    for (const end of made) end();
  });
  return made;
}
