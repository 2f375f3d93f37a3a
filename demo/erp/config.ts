/** The environment of the demo ERP, read once. */
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../../protocol/config-error.ts';
import { presentVariables } from '../../protocol/present-variables.ts';
import { MODES, type Mode } from './erp-server.ts';

const environment = z.object({
  ERP_HOST: z.string().default('127.0.0.1'),
  ERP_PORT: z
    .string()
    .default('3900')
    .transform(Number)
    .refine((port) => Number.isInteger(port) && port >= 0 && port <= 65_535, { error: 'must be a port, 0 to 65535' }),
  ERP_MODE: z.enum(MODES, { error: `must be one of ${MODES.join(', ')}` }).default('idempotency-key'),
  ERP_CONTROL: z.string().optional(),
  ERP_DATA_FILE: z.string().optional(),
  DATA_DIR: z.string().default('.data'),
});

export interface ErpConfig {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly mode: Mode;
  /** Whether tests may make trouble over HTTP. */
  readonly hasControl: boolean;
  /** Its orders, one JSON line each. */
  readonly dataFile: string;
}

/** @throws ConfigError that lists every problem */
export function readConfig(env: NodeJS.ProcessEnv = process.env): ErpConfig {
  const parsed = environment.safeParse(presentVariables(env));
  if (!parsed.success) throw new ConfigError(parsed.error.issues);
  const { data } = parsed;
  return {
    host: data.ERP_HOST,
    port: data.ERP_PORT,
    mode: data.ERP_MODE,
    hasControl: data.ERP_CONTROL === '1',
    dataFile: resolve(data.ERP_DATA_FILE ?? join(data.DATA_DIR, 'erp', 'orders.jsonl')),
  };
}
