/** What every front server stands on, whatever its door: Temporal, the tasks in it, the files, the store. */
import { inspect } from 'node:util';
import { AuditLog } from '../store/audit-log.ts';
import { FolderBlobStore } from '../store/folder-blobs.ts';
import { catalog } from '../workflows/tools/index.ts';
import { ConfigError } from '../protocol/config-error.ts';
import type { Config } from './config.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { openUploads, type Uploads } from '../store/uploads.ts';
import { createCancelTeller } from './approvals/told-cancels.ts';
import { blobLifeMs, sweepBlobs } from './blob-sweep.ts';
import type { Caller } from './caller.ts';
import { localCaller } from './local-caller.ts';
import type { Log } from './log.ts';
import type { ServingParts } from './mcp-parts.ts';
import { watchPrincipalKeys } from './temporal/principal-record.ts';
import { TemporalService } from './temporal/temporal-service.ts';
import { TemporalTaskStore } from './temporal/temporal-task-store.ts';

const RETENTION_RETRY_MS = 2_000;

export interface Backend extends Pick<ServingParts, 'catalog' | 'store' | 'health' | 'blobs' | 'audit'> {
  readonly uploads: Uploads;
  /** Who asks where nobody has to sign in. */
  readonly localCaller: Caller;
  /** Absent without a `DATABASE_URL`. */
  readonly database: Store | undefined;
  readonly service: TemporalService;
  /** By whoever opened it. */
  readonly close: () => Promise<void>;
}

/** @throws ConfigError when Temporal keeps results for less long than is promised */
export async function openBackend(config: Config, log: Log): Promise<Backend> {
  const { taskQueue, principalRing, resultRetentionMs, uploadRetentionMs, variables, encryption } = config;
  const { answersPerTask } = config.limits;
  const service = TemporalService.connect(taskQueue, variables, encryption?.keyRing);
  await checkRetention(service, config);
  void watchPrincipalKeys(service, principalRing, log);
  const blobs = new FolderBlobStore(config.blobDir);
  const database = openDatabase(config, log);
  const audit = database && new AuditLog(database.db, config.auditKeys);
  const tellCancel = createCancelTeller(audit, log);
  const store = new TemporalTaskStore({
    service,
    principalRing,
    resultRetentionMs,
    blobs,
    answersPerTask,
    tellCancel,
    log,
  });
  void sweepBlobs({ blobs, log, keepMs: blobLifeMs(catalog, resultRetentionMs), signal: service.closed });
  const uploads = openUploads(config.blobDir, uploadRetentionMs);
  void sweepBlobs({ blobs: uploads, log, keepMs: uploadRetentionMs, signal: service.closed });
  return {
    catalog,
    store,
    health: service,
    blobs,
    uploads,
    localCaller: localCaller(...principalRing),
    database,
    audit,
    service,
    close: async () => {
      await Promise.all([service.close(), database?.close()]);
    },
  };
}

/** A database that is away stops sign-in by API key and shared limits; running tasks do not need it. */
function openDatabase({ storeConfig }: Config, log: Log): Store | undefined {
  const { databaseUrl } = storeConfig;
  if (databaseUrl === undefined) return undefined;
  const database = openStore(databaseUrl, (err) => log.warn({ err }, 'the database is away'));
  database.migrated.catch((err: unknown) => log.error({ err }, 'the database does not have our schema'));
  return database;
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
