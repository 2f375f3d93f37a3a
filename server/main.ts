/** Composes a front server from its parts and stops it in order. */
import closeWithGrace from 'close-with-grace';
import { FolderBlobStore } from '../store/folder-blobs.ts';
import { catalog } from '../workflows/tools/index.ts';
import { ConfigError } from './config-error.ts';
import { readConfig, type Config } from './config.ts';
import { createFront } from './front.ts';
import { localCaller } from './local-caller.ts';
import { createLog } from './log.ts';
import { TemporalService } from './temporal/temporal-service.ts';
import { TemporalTaskStore } from './temporal/temporal-task-store.ts';

const RETENTION_RETRY_MS = 2_000;

async function start(): Promise<void> {
  const config = await readConfig();
  const log = createLog(config.logLevel);
  const { taskQueue, principalKey, resultRetentionMs } = config;
  const service = TemporalService.connect(taskQueue);
  await checkRetention(service, config);
  const blobs = new FolderBlobStore(config.blobDir);
  const store = new TemporalTaskStore({ service, principalKey, resultRetentionMs, blobs });
  const caller = localCaller(principalKey);
  const front = createFront({ config, catalog, store, health: service, blobs, log, caller });
  const url = await front.listen();
  log.info({ url, taskQueue }, 'listening');

  closeWithGrace({ delay: config.drainMs + 2_000, logger: false }, async ({ err, signal }) => {
    if (err !== undefined) log.fatal({ err }, 'stopping after an error that nobody caught');
    log.info({ signal }, 'draining');
    await front.drain();
    await service.close();
    log.info('stopped');
  });
}

/**
 * A result may not be promised for longer than Temporal keeps it. A front starts before its Temporal does (/readyz says
 * 503 until then), so an unanswered check is made again when Temporal is there.
 */
async function checkRetention(service: TemporalService, config: Config): Promise<void> {
  if (await service.isReachable()) {
    requireRetention(await service.retentionMs(), service.namespace, config);
    return;
  }
  setTimeout(() => {
    checkRetention(service, config).catch(exitWith);
  }, RETENTION_RETRY_MS).unref();
}

function requireRetention(keptMs: number, namespace: string, { resultRetentionMs }: Config): void {
  if (keptMs >= resultRetentionMs) return;
  throw new ConfigError([
    `RESULT_RETENTION_MS: ${String(resultRetentionMs)} is more than the ${String(keptMs)} ms that the Temporal namespace ` +
      `${namespace} keeps a closed workflow. Lower it, or: temporal operator namespace update ` +
      `-n ${namespace} --retention ${String(Math.ceil(resultRetentionMs / 3_600_000))}h`,
  ]);
}

function exitWith(error: unknown): never {
  console.error(error instanceof ConfigError ? error.message : error);
  // An open connection to Temporal would keep a process alive that serves nobody.
  process.exit(1);
}

await start().catch(exitWith);
