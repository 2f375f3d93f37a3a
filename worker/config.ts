/** The worker's environment, read once. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { ConfigError } from '../protocol/config-error.ts';
import { presentVariables } from '../protocol/present-variables.ts';

const schema = z.object({
  TASK_QUEUE: z.string().default('mcp-tasks'),
  DATA_DIR: z.string().default('.data'),
  BLOB_DIR: z.string().optional(),
  ERP_URL: z.url().default('http://127.0.0.1:3900'),
  PURCHASE_POLICY_FILE: z.string().optional(),
  HIRING_POLICY_FILE: z.string().optional(),
  INVOICE_POLICY_FILE: z.string().optional(),
  /** Path of a prebuilt workflow bundle; without it the worker bundles the sources when it starts. */
  WORKFLOW_BUNDLE: z.string().optional(),
  /** Health and metrics; 0 takes a free port. */
  WORKER_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  WORKER_HOST: z.string().default('127.0.0.1'),
  /** How long running activities may go on after SIGTERM, in ms. */
  DRAIN_MS: z.coerce.number().int().min(0).default(8_000),
  MAX_CACHED_WORKFLOWS: z.coerce.number().int().min(0).optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export interface WorkerConfig {
  readonly taskQueue: string;
  readonly blobDir: string;
  readonly erpUrl: string;
  readonly policyFile: string;
  readonly hiringPolicyFile: string;
  readonly invoicePolicyFile: string;
  readonly workflowBundle: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly drainMs: number;
  readonly maxCachedWorkflows: number | undefined;
  readonly logLevel: string;
  /** The variables that are set, from which Temporal's own configuration takes address, namespace, TLS and key. */
  readonly variables: Readonly<Record<string, string>>;
}

/** @throws ConfigError listing every problem */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): WorkerConfig {
  const variables = presentVariables(environment);
  const parsed = schema.safeParse(variables);
  if (!parsed.success) throw new ConfigError(parsed.error.issues);
  const { data } = parsed;
  return {
    taskQueue: data.TASK_QUEUE,
    blobDir: resolve(data.BLOB_DIR ?? join(data.DATA_DIR, 'blobs')),
    erpUrl: data.ERP_URL,
    policyFile: data.PURCHASE_POLICY_FILE ?? fileURLToPath(new URL('../policy/purchase-policy.json', import.meta.url)),
    hiringPolicyFile:
      data.HIRING_POLICY_FILE ?? fileURLToPath(new URL('../policy/hiring-policy.json', import.meta.url)),
    invoicePolicyFile:
      data.INVOICE_POLICY_FILE ?? fileURLToPath(new URL('../policy/invoice-policy.json', import.meta.url)),
    workflowBundle: data.WORKFLOW_BUNDLE,
    host: data.WORKER_HOST,
    port: data.WORKER_PORT,
    drainMs: data.DRAIN_MS,
    maxCachedWorkflows: data.MAX_CACHED_WORKFLOWS,
    logLevel: data.LOG_LEVEL,
    variables,
  };
}
