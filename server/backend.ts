/** What every front server stands on, whatever its door: Temporal, the tasks in it, the files, the caller. */
import { inspect } from 'node:util';
import { FolderBlobStore } from '../store/folder-blobs.ts';
import { catalog } from '../workflows/tools/index.ts';
import { ConfigError } from './config-error.ts';
import type { Config } from './config.ts';
import { localCaller } from './local-caller.ts';
import type { ServingParts } from './mcp-parts.ts';
import { TemporalService } from './temporal/temporal-service.ts';
import { TemporalTaskStore } from './temporal/temporal-task-store.ts';

const RETENTION_RETRY_MS = 2_000;

export interface Backend extends Pick<ServingParts, 'catalog' | 'store' | 'health' | 'blobs' | 'caller'> {
  /** To be closed by whoever opened it. */
  readonly service: TemporalService;
}

/** @throws ConfigError when Temporal keeps results for less long than is promised */
export async function openBackend(config: Config): Promise<Backend> {
  const { taskQueue, principalKey, resultRetentionMs } = config;
  const service = TemporalService.connect(taskQueue);
  await checkRetention(service, config);
  const blobs = new FolderBlobStore(config.blobDir);
  const store = new TemporalTaskStore({ service, principalKey, resultRetentionMs, blobs });
  return { catalog, store, health: service, blobs, caller: localCaller(principalKey), service };
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

/** Says what is wrong and ends the process. */
export function exitWith(error: unknown): never {
  process.stderr.write(`${error instanceof ConfigError ? error.message : inspect(error)}\n`);
  // An open connection to Temporal would keep a process alive that serves nobody.
  process.exit(1);
}
