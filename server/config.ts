/** The environment of a front server, read once; every problem is reported at once. */
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readAuth, type AuthConfig } from './auth/auth-config.ts';
import { readAuditKeys } from '../encryption/audit-keys.ts';
import { readDecisionKeys } from '../encryption/decision-signing.ts';
import { readEncryption, type Encryption } from '../encryption/config.ts';
import type { AuditKeys } from '../protocol/audit-key.ts';
import { ConfigError } from '../protocol/config-error.ts';
import { presentVariables } from '../protocol/present-variables.ts';
import { readSecretVariable } from '../store/secret-variable.ts';
import { readStoreConfig, type StoreConfig } from '../store/config.ts';
import { readInbox, type InboxConfig } from './inbox/config.ts';
import { readLimits, type LimitsConfig } from './limits/config.ts';
import { readNotices, type NoticesConfig } from './notices/config.ts';
import { readOrCreateKey, readPrincipalRing } from './principal-key.ts';
import type { PrincipalRing } from './principal.ts';

export interface Config {
  /** Loopback, as long as nobody has to sign in. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly taskQueue: string;
  readonly dataDir: string;
  readonly blobDir: string;
  /** Absent: everybody who reaches the port is the operating system user that runs the server. */
  readonly auth: AuthConfig | undefined;
  readonly storeConfig: StoreConfig;
  /** Under which the audit is chained. */
  readonly auditKeys: AuditKeys;
  /** Of the caller over stdio; absent: the user who runs the process. */
  readonly apiKey: string | undefined;
  /** At least 32 bytes each, the newest first. Losing them loses every task handle. */
  readonly principalRing: PrincipalRing;
  /** How long a call of an `optional` tool waits for a plain answer before it becomes a task. */
  readonly syncBudgetMs: number;
  /** How long a call is held for a caller that cannot take a task. Below the 300 s after which Node's `fetch` gives up. */
  readonly fallbackBudgetMs: number;
  readonly resultRetentionMs: number;
  /** How long an uploaded file is kept. */
  readonly uploadRetentionMs: number;
  /** How long open requests may take once the server stops. */
  readonly drainMs: number;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Host names beside the loopback ones, without port. */
  readonly allowedHosts: readonly string[];
  /** Origins beside the loopback ones, such as `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
  /** Absent: `ENCRYPTION=off`. */
  readonly encryption: Encryption | undefined;
  readonly limits: LimitsConfig;
  /** Absent: people have no way to sign in. */
  readonly inbox: InboxConfig | undefined;
  readonly notices: NoticesConfig;
  /** The variables that are set, from which Temporal's own configuration takes address, namespace, TLS and key. */
  readonly variables: Readonly<Record<string, string>>;
}

const DEFAULT_HOST = '127.0.0.1';
const DAY_MS = 86_400_000;

const list = z
  .string()
  .default('')
  .transform((value) => value.split(',').map((item) => item.trim().toLowerCase()))
  .transform((items) => items.filter((item) => item !== ''));
const wholeMs = (fallback: number, limits: { min: number; max: number }): z.ZodType<number> =>
  z
    .string()
    .default(String(fallback))
    .transform(Number)
    .refine((value) => Number.isSafeInteger(value) && value >= limits.min && value <= limits.max, {
      error: `must be a whole number of milliseconds from ${limits.min} to ${limits.max}`,
    });

const environment = z.object({
  HOST: z.string().default(DEFAULT_HOST),
  PORT: z
    .string()
    .default('3000')
    .transform(Number)
    .refine((port) => Number.isInteger(port) && port >= 0 && port <= 65_535, { error: 'must be a port, 0 to 65535' }),
  TASK_QUEUE: z.string().max(200).default('mcp-tasks'),
  DATA_DIR: z.string().default('.data'),
  BLOB_DIR: z.string().optional(),
  SYNC_BUDGET_MS: wholeMs(1_000, { min: 0, max: 60_000 }),
  FALLBACK_BUDGET_MS: wholeMs(45_000, { min: 0, max: 240_000 }),
  RESULT_RETENTION_MS: wholeMs(7 * DAY_MS, { min: 1_000, max: 3_650 * DAY_MS }),
  UPLOAD_RETENTION_MS: wholeMs(7 * DAY_MS, { min: 1_000, max: 365 * DAY_MS }),
  DRAIN_MS: wholeMs(8_000, { min: 0, max: 600_000 }),
  LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ALLOWED_HOSTS: list,
  ALLOWED_ORIGINS: list,
});

/** @throws ConfigError that lists every problem */
export async function readConfig(env: NodeJS.ProcessEnv = process.env): Promise<Config> {
  const present = presentVariables(env);
  const parsed = environment.safeParse(present);
  const problems: (string | z.core.$ZodIssue)[] = [...(parsed.error?.issues ?? [])];
  const part = async <T>(read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const auth = await part(() => {
    const read = readAuth(present);
    if (read === undefined && !isLoopback(present['HOST'] ?? DEFAULT_HOST)) throw new ConfigError([LOOPBACK_PROBLEM]);
    return read;
  });
  const inbox = await part(() => readInbox(present, auth));
  const notices = await part(() => readNotices(present, inbox));
  const storeConfig = await part(() => readStoreConfig(present));
  const auditKeys = await part(async () => readAuditKeys(present, await readDecisionKeys(present)));
  const encryption = await part(() => readEncryption(present));
  const limits = await part(() => readLimits(present));
  const named = await part(() => readPrincipalRing(present));
  const apiKey = await part(() => readApiKey(present));
  if (!parsed.success || !storeConfig || !auditKeys || !limits || !notices || problems.length > 0) {
    throw new ConfigError([...new Set(problems)]);
  }
  const values = parsed.data;
  const dataDir = resolve(values.DATA_DIR);
  return {
    host: values.HOST,
    port: values.PORT,
    taskQueue: values.TASK_QUEUE,
    dataDir,
    blobDir: values.BLOB_DIR === undefined ? join(dataDir, 'blobs') : resolve(values.BLOB_DIR),
    auth,
    storeConfig,
    auditKeys,
    apiKey,
    principalRing: named ?? [await readOrCreateKey(dataDir)],
    syncBudgetMs: values.SYNC_BUDGET_MS,
    fallbackBudgetMs: values.FALLBACK_BUDGET_MS,
    resultRetentionMs: values.RESULT_RETENTION_MS,
    uploadRetentionMs: values.UPLOAD_RETENTION_MS,
    drainMs: values.DRAIN_MS,
    logLevel: values.LOG_LEVEL,
    allowedHosts: values.ALLOWED_HOSTS,
    allowedOrigins: values.ALLOWED_ORIGINS,
    encryption,
    limits,
    inbox,
    notices,
    variables: present,
  };
}

async function readApiKey(variables: Readonly<Record<string, string>>): Promise<string | undefined> {
  return readSecretVariable(variables, 'MCP_API_KEY').catch((error: unknown) => {
    throw new ConfigError([error instanceof Error ? error.message : 'MCP_API_KEY: cannot be read'], { cause: error });
  });
}

const LOOPBACK_PROBLEM =
  'HOST: must be a loopback address (127.0.0.1, ::1, localhost) while AUTH=none: nobody is asked who they are';

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
