/** A front and a worker on a Temporal and a Postgres of their own, and two callers with tokens of an issuer of this process. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { DATABASE_URL_FILE } from '../../store/config.ts';
import { startChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { TEST_DECISION_KEY } from '../support/decisions.ts';
import { startPart, startTemporal, type Endings, type Part } from '../support/parts.ts';
import { buildWorkflowBundle } from '../support/workflow-bundles.ts';
import { WORKFLOWS_PATH } from '../../worker/workflow-source.ts';

export interface FuzzSystem {
  readonly front: Part;
  readonly worker: Part;
  /** Of somebody whose tasks are to stay out of reach. */
  readonly owner: string;
  /** Of whoever sends the bad requests. */
  readonly stranger: string;
  /** Host and port of what answers may name: nobody is kept from knowing it. */
  readonly publicAddresses: readonly string[];
}

const AUDIENCE = 'https://fuzz.test/mcp';
/** Nobody listens there: no task gets as far as an order. */
const NO_ERP = 'http://127.0.0.1:9';
/** Nobody is sent there either: no browser signs in. */
const INBOX_URL = 'http://127.0.0.1:9/inbox';

export async function startFuzzSystem(endings: Endings): Promise<FuzzSystem> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-mcp-tasks-fuzz-'));
  endings.unshift(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const bundle = join(folder, 'bundle.js');
  const [issuer, databaseUrl] = await Promise.all([
    openIssuer(endings),
    startPostgres(folder, endings),
    startTemporal(folder, endings),
    buildWorkflowBundle(WORKFLOWS_PATH, bundle),
  ]);
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    PRINCIPAL_KEY: randomBytes(32).toString('hex'),
    TASK_QUEUE: `fuzz-${randomBytes(4).toString('hex')}`,
    ERP_URL: NO_ERP,
    LOG_LEVEL: 'error',
    WORKFLOW_BUNDLE: bundle,
    AUTH: 'jwt',
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    AUTH_JWKS_URL: `${issuer.url}/jwks`,
    DECISION_KEY: TEST_DECISION_KEY,
    INBOX_URL,
    INBOX_CLIENT_ID: 'fuzz',
    SYNC_BUDGET_MS: '50',
    // The limits are not what is looked at here.
    LIMIT_CALLS_PER_MINUTE: '1000000000',
    LIMIT_POLLS_PER_SECOND: '1000000000',
    LIMIT_OPEN_TASKS: '1000000000',
    LIMIT_FAILED_SIGN_INS_PER_MINUTE: '1000000000',
  };
  const worker = await startPart('worker/main.ts', 'WORKER_PORT', env);
  endings.unshift(() => worker.child.end());
  const front = await startPart('server/main.ts', 'PORT', env);
  endings.unshift(() => front.child.end());
  const publicAddresses = [front.origin, issuer.url, INBOX_URL].map((url) => new URL(url).host);
  const [owner, stranger] = [await issuer.token('owner'), await issuer.token('stranger')];
  return { front, worker, owner, stranger, publicAddresses };
}

/** @returns its URL */
async function startPostgres(folder: string, endings: Endings): Promise<string> {
  const child = await startChild({
    name: 'Postgres',
    command: process.execPath,
    args: ['--import', 'tsx', 'store/embedded-main.ts'],
    env: { DATA_DIR: folder, POSTGRES_PORT: String(await freePort()) },
    isReady: (started) => started.output().includes('Postgres listens on'),
    readyWithinMs: 60_000,
  });
  endings.unshift(() => child.end());
  return (await readFile(join(folder, DATABASE_URL_FILE), 'utf8')).trim();
}

async function openIssuer(endings: Endings): Promise<{ url: string; token(subject: string): Promise<string> }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'fuzz', alg: 'ES256' }] });
  const server = createServer((_, response) => response.writeHead(200).end(keys));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endings.unshift(async () => server.close());
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const token = (subject: string): Promise<string> =>
    new SignJWT({ scope: 'tasks:read tasks:write' })
      .setProtectedHeader({ alg: 'ES256', kid: 'fuzz' })
      .setIssuer(url)
      .setSubject(subject)
      .setAudience(AUDIENCE)
      .setExpirationTime('3h')
      .sign(privateKey);
  return { url, token };
}
