/** Composes a front server over stdin and stdout, and stops it when its client leaves. The log goes to stderr. */
import closeWithGrace from 'close-with-grace';
import { approvalSourceOf } from './approvals/approval-source-of.ts';
import { stdioCaller } from './auth/stdio-caller.ts';
import { exitWith, openBackend } from './backend.ts';
import { readConfig } from './config.ts';
import { httpOrigin } from './http-origin.ts';
import { createLog } from './log.ts';
import { createStdioServer } from './stdio.ts';

async function start(): Promise<void> {
  const config = await readConfig();
  const log = createLog(config.logLevel);
  const { localCaller, database, close, service, ...parts } = await openBackend(config, log);
  const speaker = await stdioCaller({ config, localCaller, database, log });
  const approvals = approvalSourceOf({ config, database, service, listensAt: () => httpOrigin(config) });
  const server = createStdioServer(
    { config, log, database, approvals, ...parts, ...speaker },
    { input: process.stdin, output: process.stdout },
  );
  log.info({ taskQueue: config.taskQueue }, 'serving stdio');

  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    await server.drain();
    await close();
    log.info('stopped');
  }
  const grace = closeWithGrace({ delay: config.drainMs + 2_000, logger: false }, async ({ err, signal }) => {
    if (err !== undefined) log.fatal({ err }, 'stopping after an error that nobody caught');
    log.info({ signal }, 'draining');
    // A signal and the end of the input often come together.
    await (stopped ??= stop());
  });
  await server.ended;
  grace.close();
}

await start().catch(exitWith);
