/** What concerns the store in the environment, read once by each process that has to do with it. */
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../protocol/config-error.ts';
import { presentVariables } from '../protocol/present-variables.ts';
import { readPrivateFile } from './private-file.ts';
import { readSecretVariable } from './secret-variable.ts';

/** Where the Postgres of our own leaves its URL and the pepper for the other processes. */
export const DATABASE_URL_FILE = 'database.url';
export const PEPPER_FILE = 'api-key.pepper';

const MIN_PEPPER_BYTES = 32;

const schema = z.object({
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: z.string().optional(),
  DATABASE_URL_FILE: z.string().optional(),
  API_KEY_PEPPER: z.string().optional(),
  API_KEY_PEPPER_FILE: z.string().optional(),
  POSTGRES_PORT: z
    .string()
    .transform(Number)
    .refine((port) => Number.isInteger(port) && port >= 1 && port <= 65_535, { error: 'must be a port, 1 to 65535' })
    .optional(),
});

export interface StoreConfig {
  /** `postgres://…`, with a password in it as a rule. Absent: there is no store. */
  readonly databaseUrl: string | undefined;
  /** At least 32 bytes, under which the secrets of API keys are hashed. Losing it loses every API key. */
  readonly pepper: Buffer | undefined;
}

/** Of our own Postgres. */
export interface EmbeddedConfig {
  readonly dataDir: string;
  /** Absent: the one it had last, 5433 or any free one. */
  readonly port: number | undefined;
}

/** @throws ConfigError that lists every problem */
export async function readStoreConfig(env: NodeJS.ProcessEnv = process.env): Promise<StoreConfig> {
  const variables = presentVariables(env);
  const dataDir = resolve(variables['DATA_DIR'] ?? '.data');
  const problems: string[] = [];
  const secret = async (name: string, file: string): Promise<string | undefined> => {
    try {
      return (await readSecretVariable(variables, name)) ?? (await readPrivateFile(join(dataDir, file)));
    } catch (error: unknown) {
      problems.push(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  const databaseUrl = await secret('DATABASE_URL', DATABASE_URL_FILE);
  const pepperText = await secret('API_KEY_PEPPER', PEPPER_FILE);
  const pepper = pepperText === undefined ? undefined : Buffer.from(pepperText);
  if (databaseUrl !== undefined && !isPostgresUrl(databaseUrl)) {
    problems.push('DATABASE_URL: must be a URL such as postgres://user:password@host:5432/database');
  }
  if (pepper !== undefined && pepper.length < MIN_PEPPER_BYTES) {
    problems.push(`API_KEY_PEPPER: must be at least ${String(MIN_PEPPER_BYTES)} bytes of text`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { databaseUrl, pepper };
}

/** @throws ConfigError that lists every problem */
export function readEmbeddedConfig(env: NodeJS.ProcessEnv = process.env): EmbeddedConfig {
  const parsed = schema.safeParse(presentVariables(env));
  if (!parsed.success) throw new ConfigError(parsed.error.issues);
  return { dataDir: resolve(parsed.data.DATA_DIR), port: parsed.data.POSTGRES_PORT };
}

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(?:ql)?:$/.test(new URL(text).protocol);
}
