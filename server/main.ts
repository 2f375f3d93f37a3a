/** Composes a front server from its parts and stops it in order. */
import closeWithGrace from 'close-with-grace';
import { exitWith, openBackend } from './backend.ts';
import { readConfig } from './config.ts';
import { createFront } from './front.ts';
import { createLog } from './log.ts';

async function start(): Promise<void> {
  const config = await readConfig();
  const log = createLog(config.logLevel);
  const { service, ...parts } = await openBackend(config);
  const front = createFront({ config, log, ...parts });
  const url = await front.listen();
  log.info({ url, taskQueue: config.taskQueue }, 'listening');

  closeWithGrace({ delay: config.drainMs + 2_000, logger: false }, async ({ err, signal }) => {
    if (err !== undefined) log.fatal({ err }, 'stopping after an error that nobody caught');
    log.info({ signal }, 'draining');
    await front.drain();
    await service.close();
    log.info('stopped');
  });
}

await start().catch(exitWith);
