import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections: there, one of those could take the port before the process
 * that it is meant for has started.
 */
const FIRST = 12_000;
const LAST = 32_000;
const MAX_TRIES = 100;
const SLICE_COUNT = 8;
const SLICE = Math.floor((LAST - FIRST) / SLICE_COUNT);
/**
 * A port looks free until its process listens, which takes seconds: test files that run side by side take from different
 * slices, and none takes one twice.
 */
const first = FIRST + (Number(process.env['JEST_WORKER_ID'] ?? 0) % SLICE_COUNT) * SLICE;
let taken = randomInt(SLICE);

/** A TCP port of the loopback that nobody holds at this moment; take it at once. */
export async function freePort(): Promise<number> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    taken = (taken + 1) % SLICE;
    const port = first + taken;
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${String(MAX_TRIES)} ports from ${String(FIRST)} to ${String(LAST)} is free.`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
