/**
 * `npm run test:record-histories`: drives real runs on a Temporal, a worker and an ERP of its own, and writes their
 * histories. Run it when workflow code changes on purpose; what it replaces can no longer be replayed, so old runs can not.
 * Names of scenarios behind it record these alone.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Client, Connection } from '@temporalio/client';
import { seedErp } from '../../demo/invoices/seed.ts';
import { findTemporal } from '../../scripts/temporal.js';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { TemporalService } from '../../server/temporal/temporal-service.ts';
import { TemporalTaskStore } from '../../server/temporal/temporal-task-store.ts';
import { FolderBlobStore } from '../../store/folder-blobs.ts';
import { openUploads } from '../../store/uploads.ts';
import { answersOk, startChild, type Child } from '../support/child.ts';
import { TEST_DECISION_KEY } from '../support/decisions.ts';
import { startDevServer } from '../support/dev-server.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { openMailServer } from '../support/mail-server.ts';
import { HISTORIES, withoutMachine } from './recorded.ts';
import { SCENARIOS, type Stage } from './scenarios.ts';
import { testCaller } from '../support/test-caller.ts';

const TASK_QUEUE = 'mcp-tasks';
const CALLER = testCaller('00000000000000000000000000000000');

const ends: (() => Promise<unknown>)[] = [];

async function record(): Promise<void> {
  const found = await findTemporal();
  if ('address' in found) throw new Error('Recording starts a Temporal of its own: unset TEMPORAL_ADDRESS.');
  process.env['TEMPORAL_CLI_PATH'] = found.path;
  const folder = await mkdtemp(join(tmpdir(), 'durable-mcp-tasks-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  const temporal = await startDevServer();
  ends.push(() => temporal.end());
  process.env['TEMPORAL_ADDRESS'] = temporal.address;
  const erp = await startRole('demo/erp/main.ts', 'ERP_PORT', '/healthz', {
    ERP_CONTROL: '1',
    ERP_DATA_FILE: join(folder, 'orders.jsonl'),
  });
  const mails = await openMailServer();
  ends.push(() => mails.close());
  const mail = { SMTP_URL: mails.url.href, MAIL_FROM: 'purchasing@buyer.example' };
  // In clear, so that a person can read what was recorded.
  const env = {
    TASK_QUEUE,
    ERP_URL: erp,
    DATA_DIR: folder,
    ENCRYPTION: 'off',
    DECISION_KEY: TEST_DECISION_KEY,
    ...mail,
  };
  await startRole('worker/main.ts', 'WORKER_PORT', '/readyz', env);

  const service = TemporalService.connect(TASK_QUEUE);
  ends.push(() => service.close());
  const store = new TemporalTaskStore({
    service,
    blobs: new FolderBlobStore(join(folder, 'blobs')),
    principalRing: [randomBytes(32)],
    resultRetentionMs: 3_600_000,
  });
  const connection = await Connection.connect({ address: temporal.address });
  ends.push(() => connection.close());
  const client = new Client({ connection });

  await mkdir(HISTORIES, { recursive: true });
  // The orders that the demo's invoices are for.
  await seedErp(erp);
  const uploads = openUploads(join(folder, 'blobs'), 3_600_000);
  const stage: Stage = {
    store,
    desk: new TemporalApprovalDesk(service),
    caller: CALLER,
    ...erpControls(erp),
    uploadCsv: async (text) => {
      const file = { name: 'invoices.csv', mimeType: 'text/csv', bytes: Buffer.from(text) } as const;
      return (await uploads.put(CALLER.principal, file)).fileId;
    },
  };
  const wanted = process.argv.slice(2);
  for (const [name, run] of Object.entries(SCENARIOS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const taskId = await run(stage);
    const history = await client.workflow.getHandle(`mcp-task/${CALLER.principal}/${taskId}`).fetchHistory();
    const json = JSON.stringify(withoutMachine(JSON.parse(historyToJSON(history))), undefined, 1);
    await writeFile(`${HISTORIES}${name}.json`, `${json}\n`);
    process.stdout.write(`${name}: ${String(history.events?.length ?? 0)} events\n`);
  }
}

async function startRole(
  entry: string,
  portVariable: string,
  readyPath: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const child: Child = await startChild({
    name: entry,
    command: process.execPath,
    args: ['--import', 'tsx', entry],
    env: { ...env, [portVariable]: port },
    isReady: () => answersOk(url + readyPath),
    readyWithinMs: 60_000,
  });
  ends.push(() => child.end());
  return url;
}

function erpControls(url: string): Pick<Stage, 'armErp' | 'untilHeldAtErp' | 'releaseErp' | 'receiveAtErp'> {
  const post = async (name: string, body: unknown): Promise<void> => {
    await fetch(`${url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  };
  return {
    armErp: (fault) => post('faults', fault),
    releaseErp: () => post('release', {}),
    receiveAtErp: async (taskId, reference, quantity) => {
      const found = await fetch(`${url}/orders?reference=${taskId}:post-order`);
      const { orders } = (await found.json()) as { orders: readonly { number: string }[] };
      const body = JSON.stringify({ reference, lines: [{ line: 1, quantity }] });
      await fetch(`${url}/orders/${orders[0]?.number ?? ''}/receipts`, { method: 'POST', body });
    },
    untilHeldAtErp: async (point) => {
      await eventually(async () => {
        const state = (await (await fetch(`${url}/control/state`)).json()) as { held: Record<string, number> };
        return (state.held[point] ?? 0) > 0;
      }, 20_000);
    },
  };
}

try {
  await record();
} finally {
  for (const end of ends.reverse()) await end();
}
