/** One JSON line an event, on stderr. Never arguments, answers or results: they belong to the caller. */
import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

export type Log = Logger;

const FROM_CALLERS = ['args', 'arguments', 'params', 'body', 'result', 'responses', 'inputResponses', 'headers'];
const SECRETS = ['principalKey', 'authorization', 'idempotencyKey'];

export function createLog(level: Config['logLevel']): Log {
  const names = [...FROM_CALLERS, ...SECRETS];
  const stderr = pino.destination({ dest: 2, sync: true });
  // Who read the log may be gone before a drain ends; that must not end it half-way.
  stderr.on('error', () => undefined);
  return pino(
    {
      level,
      redact: { paths: [...names, ...names.map((name) => `*.${name}`)], remove: true },
      base: { pid: process.pid, process: 'server' },
    },
    stderr,
  );
}
