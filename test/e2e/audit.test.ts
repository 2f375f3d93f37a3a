/** The audit of the product as it runs: what a purchase tells, and what `npm run audit` makes of it. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { runCommand } from '../../scripts/run-command.js';
import { repositoryRoot } from '../support/child.ts';
import { compiledEntry } from '../support/compiled-entry.ts';
import { eventually } from '../support/eventually.ts';
import { openApprovers, type Approvers } from '../support/order-approvers.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { patiently } from '../support/patience.js';
import { aCall, kill9, openProduct, type Product } from '../support/product.ts';
import type { RoleProcess } from '../support/processes.ts';
import { createTaskClient, type TaskClient } from '../support/task-client.ts';

const TEST_MS = 120_000;
const COMMAND_MS = 10_000;
const TOLD_WITHIN_MS = 30_000;
const LARGE = [{ description: 'Milling machine', quantity: '1', unitPrice: '12000.00' }];

let databaseUrl: string;
let product: Product;
let client: TaskClient;
let approvers: Approvers;
let worker: RoleProcess;

beforeAll(async () => {
  databaseUrl = await (await startPostgres(postgresKinds[0]!)).emptyDatabase();
  product = await openProduct({ env: { DATABASE_URL: databaseUrl } });
  const front = await product.startFront();
  worker = await product.startWorker();
  client = createTaskClient(front.url);
  approvers = await openApprovers(product);
}, TEST_MS);

function command(entry: string, ...args: readonly string[]): Promise<{ ok: boolean; output: string }> {
  const { PATH } = process.env;
  return runCommand(process.execPath, [compiledEntry(entry), ...args], {
    cwd: repositoryRoot,
    env: { PATH, ...product.env },
    timeoutMs: patiently(COMMAND_MS),
  });
}

function audit(...args: readonly string[]): Promise<{ ok: boolean; output: string }> {
  return command('scripts/audit.ts', ...args);
}

interface Exported {
  /** Absent of what a front has told. */
  readonly seq: number | null;
  readonly type: string;
  readonly by: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Once it tells that the result was read: the front that gives it away does not wait for that. */
async function exportedWithRead(taskId: string): Promise<readonly Exported[]> {
  return eventually(async () => {
    const { ok, output } = await audit('export', taskId);
    if (!ok || !output.includes('result_read')) throw new Error(`The export says nothing of a read:\n${output}`);
    return JSON.parse(output) as readonly Exported[];
  }, TOLD_WITHIN_MS);
}

/** What the task itself tells. */
function byTask(acts: readonly Exported[]): readonly Exported[] {
  return acts.filter(({ seq }) => seq !== null);
}

describe('npm run approvals:reconcile', () => {
  it(
    'makes the queue anew from the tasks, and says how many rows it has mended',
    async () => {
      const taskId = await client.create(
        'purchase_order',
        aCall({ lines: LARGE, justification: 'It is needed.'.repeat(2) }),
      );
      await approvers.asked(taskId, 'purchasing');
      const owner = new pg.Client({ connectionString: databaseUrl });
      await owner.connect();
      await owner.query("update approvals set title = 'Something else'");
      expect(await command('scripts/reconcile-approvals.ts')).toEqual({
        ok: true,
        output: '1 approvals wait. 1 rows were mended: 0 added, 1 changed, 0 removed.\n',
      });
      const { rows } = await owner.query<{ title: string }>('select title from approvals');
      await owner.end();
      expect(rows).toEqual([{ title: expect.stringMatching(/^Order from/) }]);
      expect(await command('scripts/reconcile-approvals.ts', 'now')).toMatchObject({ ok: false });
      await client.cancel(taskId);
    },
    TEST_MS,
  );
});

describe('the audit', () => {
  it(
    'tells a purchase from the call to the end, also when its worker is killed, and is whole',
    async () => {
      const args = { lines: LARGE, justification: 'The old machine cannot be repaired any more.' };
      const taskId = await client.create('purchase_order', aCall(args));
      const found = await approvers.asked(taskId, 'purchasing');
      await kill9(worker);
      worker = await product.startWorker();
      await approvers.decide(found, 'Paula');
      await client.until(taskId, ['completed'], TEST_MS / 2);

      const all = await exportedWithRead(taskId);
      const acts = byTask(all);
      expect(all.filter(({ seq }) => seq === null)).toMatchObject([{ type: 'result_read', data: { in: 'mcp' } }]);
      expect(acts.map(({ type }) => type)).toEqual([
        'created',
        'approval_requested',
        'voted',
        'approval_decided',
        'effect',
        'ended',
      ]);
      expect(acts.map(({ seq }) => seq)).toEqual(acts.map((_, index) => index));
      expect(acts[0]?.data).toMatchObject({ tool: 'purchase_order' });
      expect(acts[2]).toMatchObject({ by: 'Paula', data: { choice: 'approve' } });
      const { orders } = await product.erp.state();
      expect(acts[4]?.data['reference']).toBe(orders[0]?.number);
      expect(acts[5]?.data).toMatchObject({ status: 'completed' });

      const csv = await audit('export', taskId, '--format', 'csv');
      expect(csv.output.split('\r\n').filter((line) => line.trim() !== '')).toHaveLength(all.length + 1);
      expect(await audit('export', 'unknown')).toEqual({ ok: false, output: 'The audit knows no task unknown.\n' });
      const { ok, output } = await audit('verify');
      expect({ ok, output }).toMatchObject({ ok: true });
      const [, head = ''] = /whole up to (\d+:[0-9a-f]{64})/.exec(output) ?? [];
      expect(await audit('verify', '--head', head)).toMatchObject({ ok: true });
    },
    TEST_MS,
  );

  it(
    'tells of one that was decided late whom it reminded and asked as well, and of one that was not decided that it expired',
    async () => {
      // That of the test before has ended with it.
      worker = await product.startWorker();
      const args = { lines: LARGE, justification: 'The old machine cannot be repaired any more.' };
      const hurried = (decideWithinSeconds: number): Promise<string> =>
        client.create('purchase_order', aCall({ ...args, decideWithinSeconds }));
      const [late, never] = await Promise.all([hurried(45), hurried(3)]);
      await approvers.decide(await approvers.asked(late, 'management'), 'Mona', { roles: ['management'] });
      await Promise.all([late, never].map((taskId) => client.until(taskId, ['completed'], TEST_MS / 4)));

      const acts = byTask(await exportedWithRead(late));
      const expired = byTask(await exportedWithRead(never));
      const types = acts.map(({ type }) => type);
      expect(types.slice(0, 4)).toEqual(['created', 'approval_requested', 'reminded', 'escalated']);
      // The second reminder may come before her decision.
      expect(types.slice(-4)).toEqual(['voted', 'approval_decided', 'effect', 'ended']);
      expect(acts[3]?.data).toMatchObject({ role: 'management' });
      expect(acts.at(-3)?.data).toMatchObject({ result: 'approved', by: ['Mona'] });
      expect(expired.map(({ type }) => type)).toEqual([
        'created',
        'approval_requested',
        'reminded',
        'escalated',
        'reminded',
        'approval_decided',
        'ended',
      ]);
      expect(expired.at(-2)?.data).toMatchObject({ result: 'expired', by: [] });
    },
    TEST_MS,
  );

  it(
    'does not hold up a worker that has no database: of its tasks it has what fronts tell alone',
    async () => {
      await worker.end();
      worker = await product.startWorker({ DATABASE_URL: '' });
      const taskId = await client.create('purchase_order', aCall());
      await client.until(taskId, ['completed'], TEST_MS / 2);
      expect((await exportedWithRead(taskId)).map(({ type }) => type)).toEqual(['result_read']);
    },
    TEST_MS,
  );

  it(
    'says which row somebody has changed who owns the database',
    async () => {
      const owner = new pg.Client({ connectionString: databaseUrl });
      await owner.connect();
      await owner.query(`
        alter table audit disable trigger all;
        update audit set data = jsonb_set(data, '{choice}', '"reject"') where type = 'voted';
        alter table audit enable trigger all`);
      await owner.end();
      const { ok, output } = await audit('verify');
      expect(ok).toBe(false);
      expect(output).toMatch(/^Row \d+ \(task \S+, voted\) was changed, or added by somebody without the key\.$/m);
    },
    TEST_MS,
  );
});
