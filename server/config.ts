/** The environment of a front server, read once; every problem is reported at once. */
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { decodeKey, readOrCreateKey } from './principal-key.ts';

export interface Config {
  /** Loopback, as long as nobody has to sign in. */
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly taskQueue: string;
  readonly dataDir: string;
  readonly blobDir: string;
  /** `none`: everybody who reaches the port is the operating system user that runs the server. */
  readonly auth: 'none';
  /** At least 32 bytes. Losing it loses every task handle. */
  readonly principalKey: Buffer;
  /** How long a call of an `optional` tool waits for a plain answer before it becomes a task. */
  readonly syncBudgetMs: number;
  /** How long a call is held for a caller that cannot take a task. Below the 300 s after which Node's `fetch` gives up. */
  readonly fallbackBudgetMs: number;
  readonly resultRetentionMs: number;
  /** How long open requests may take once the server stops. */
  readonly drainMs: number;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Host names beside the loopback ones, without port. */
  readonly allowedHosts: readonly string[];
  /** Origins beside the loopback ones, such as `https://app.example.com`. */
  readonly allowedOrigins: readonly string[];
}

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
  HOST: z.string().default('127.0.0.1').refine(isLoopback, {
    error: 'must be a loopback address (127.0.0.1, ::1, localhost) while AUTH=none: nobody is asked who they are',
  }),
  PORT: z
    .string()
    .default('3000')
    .transform(Number)
    .refine((port) => Number.isInteger(port) && port >= 0 && port <= 65_535, { error: 'must be a port, 0 to 65535' }),
  TASK_QUEUE: z.string().max(200).default('mcp-tasks'),
  DATA_DIR: z.string().default('.data'),
  BLOB_DIR: z.string().optional(),
  AUTH: z.literal('none', { error: 'must be none' }).default('none'),
  PRINCIPAL_KEY: z.string().optional(),
  SYNC_BUDGET_MS: wholeMs(1_000, { min: 0, max: 60_000 }),
  FALLBACK_BUDGET_MS: wholeMs(45_000, { min: 0, max: 240_000 }),
  RESULT_RETENTION_MS: wholeMs(7 * DAY_MS, { min: 1_000, max: 3_650 * DAY_MS }),
  DRAIN_MS: wholeMs(8_000, { min: 0, max: 600_000 }),
  LOG_LEVEL: z.enum(['error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ALLOWED_HOSTS: list,
  ALLOWED_ORIGINS: list,
});

/** @throws ConfigError that lists every problem */
export async function readConfig(env: NodeJS.ProcessEnv = process.env): Promise<Config> {
  // An empty string is what a shell or a compose file leaves of a variable nobody set.
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(present);
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const named = present['PRINCIPAL_KEY'];
  const key = named === undefined ? undefined : decodeKey(named);
  if (named !== undefined && key === undefined) {
    problems.push('PRINCIPAL_KEY: must hold at least 32 bytes, written as hex, base64 or text');
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const values = parsed.data;
  const dataDir = resolve(values.DATA_DIR);
  return {
    host: values.HOST,
    port: values.PORT,
    taskQueue: values.TASK_QUEUE,
    dataDir,
    blobDir: values.BLOB_DIR === undefined ? join(dataDir, 'blobs') : resolve(values.BLOB_DIR),
    auth: values.AUTH,
    principalKey: key ?? (await readOrCreateKey(dataDir)),
    syncBudgetMs: values.SYNC_BUDGET_MS,
    fallbackBudgetMs: values.FALLBACK_BUDGET_MS,
    resultRetentionMs: values.RESULT_RETENTION_MS,
    drainMs: values.DRAIN_MS,
    logLevel: values.LOG_LEVEL,
    allowedHosts: values.ALLOWED_HOSTS,
    allowedOrigins: values.ALLOWED_ORIGINS,
  };
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
