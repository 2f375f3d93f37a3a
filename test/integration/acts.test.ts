import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createActActivities } from '../../activities/acts.ts';
import { digestOf } from '../../encryption/decision-signing.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { checkAudit } from '../../store/audit-check.ts';
import { rowsOfTask } from '../../store/audit-rows.ts';
import { decide, decisionOn, person, waitForApproval } from '../support/approver.ts';
import { openAudit, testAuditKeys, type TestAudit } from '../support/audit.ts';
import { eventually } from '../support/eventually.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { accept, openKeys, openTaskBench, type TaskBench } from '../support/task-bench.ts';

const TEST_MS = 120_000;
/** The pause between two attempts grows to a minute. */
const UNTIL_RECORDED_MS = 90_000;

let postgres: TestPostgres;
let audit: TestAudit;
let bench: TaskBench;
let desk: TemporalApprovalDesk;

beforeAll(async () => {
  postgres = await startPostgres(postgresKinds[0]!);
  audit = await openAudit(postgres);
  const entry = fileURLToPath(new URL('./acts-workflows.ts', import.meta.url));
  bench = await openTaskBench(entry, createActActivities(audit.log));
  desk = new TemporalApprovalDesk(bench.service);
  await bench.startWorker();
}, TEST_MS);

async function answerQuestion(taskId: string): Promise<void> {
  const asking = await bench.until(taskId, 'input_required');
  const answers = openKeys(asking).map((key) => [key, accept({ reason: 'they broke' })] as const);
  await bench.store.deliver(bench.caller, taskId, Object.fromEntries(answers));
}

async function isRecordedToItsEnd(taskId: string): Promise<boolean> {
  return (await audit.story(taskId)).at(-1)?.endsWith(' ended') === true;
}

/** Of the workflow to which a task without a database has left what it had to tell, from its act `first` on. */
async function statusOfLateActs(taskId: string, first: number): Promise<string> {
  const { client } = bench.service;
  const { runId } = await client.getHandle(bench.workflowId(taskId)).describe();
  return (await client.getHandle(`${bench.workflowId(taskId)}/acts/${runId}/${String(first)}`).describe()).status.name;
}

async function eventTypes(taskId: string): Promise<readonly string[]> {
  const { events = [] } = await bench.service.client.getHandle(bench.workflowId(taskId)).fetchHistory();
  return (events ?? []).map((event) => Object.keys(event).find((name) => name.endsWith('Attributes')) ?? '');
}

describe('the acts of a task', () => {
  it(
    'tell the story of a purchase',
    async () => {
      const taskId = await bench.create('buy');
      await answerQuestion(taskId);
      const found = await waitForApproval(desk, bench.workflowId(taskId));
      const wider = await eventually(async () => {
        const again = await desk.read(found.workflowId);
        return again?.open[0]?.roles.includes('board') === true && again;
      }, 10_000);
      const digest = decisionOn(wider, 'one').digest;
      await decide(desk, wider, decisionOn(wider, 'one', { roles: ['board'] }));
      const forCfo = { onBehalfOf: { ...person('cfo'), roles: [] }, reason: 'The cfo is away.' };
      await decide(desk, wider, decisionOn(wider, 'two', forCfo));
      await bench.until(taskId, 'completed');
      await eventually(() => isRecordedToItsEnd(taskId), UNTIL_RECORDED_MS);

      const rows = await rowsOfTask(audit.db, taskId);
      expect(rows.map(({ seq, type, by }) => [seq, type, by])).toEqual([
        [0, 'created', bench.caller.displayName ?? 'unknown'],
        [1, 'asked', null],
        [2, 'answered', bench.caller.displayName ?? 'unknown'],
        [3, 'approval_requested', bench.caller.displayName ?? 'unknown'],
        [4, 'reminded', null],
        [5, 'escalated', null],
        [6, 'voted', 'one'],
        [7, 'voted', 'two'],
        [8, 'approval_decided', null],
        [9, 'effect', null],
        [10, 'ended', null],
      ]);
      const data = rows.map((row) => row.data);
      expect(data[0]).toMatchObject({ tool: 'buy', caller: bench.caller.principal });
      expect(data[0]?.['argumentsDigest']).toMatch(/^[0-9a-f]{64}$/);
      expect(data[1]).toMatchObject({ message: 'What for?' });
      expect(data[3]).toMatchObject({ title: 'Order 4 chairs', amount: '759.60 EUR', roles: ['finance'], people: 1 });
      expect(digestOf(data[3]?.['shown'] as string)).toBe(digest);
      expect(data[7]).toMatchObject({
        subject: 'two',
        onBehalfOf: { name: 'cfo', subject: 'cfo' },
        choice: 'approve',
        reason: 'The cfo is away.',
        digest,
      });
      expect(data[8]).toMatchObject({ result: 'approved', by: ['one', 'two for cfo'] });
      expect(data[9]).toEqual({ words: 'Post the order', reference: 'PO-0001' });
      expect(data[10]).toMatchObject({ status: 'completed' });
      expect((await checkAudit(audit.db, testAuditKeys)).problems).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'tell that it was cancelled, and what was withdrawn',
    async () => {
      const taskId = await bench.create('buy');
      await answerQuestion(taskId);
      await waitForApproval(desk, bench.workflowId(taskId));
      await bench.store.cancel(bench.caller, taskId, 'changed my mind');
      await bench.until(taskId, 'cancelled');
      await eventually(() => isRecordedToItsEnd(taskId), UNTIL_RECORDED_MS);
      expect((await audit.story(taskId)).slice(-3).map((line) => line.split(' ')[1])).toEqual([
        'cancel_requested',
        'approval_decided',
        'ended',
      ]);
    },
    TEST_MS,
  );

  it(
    'go on counting when the task goes on with a fresh history',
    async () => {
      const taskId = await bench.create('rounds', { left: 3, reports: 1 });
      await bench.until(taskId, 'completed');
      await eventually(() => isRecordedToItsEnd(taskId), UNTIL_RECORDED_MS);
      expect(await audit.story(taskId)).toEqual([
        '0 created',
        ...[1, 2, 3, 4].map((seq) => `${String(seq)} effect`),
        '5 ended',
      ]);
    },
    TEST_MS,
  );

  it(
    'cost a small task one event',
    async () => {
      const taskId = await bench.create('quick');
      await bench.until(taskId, 'completed');
      const types = await eventTypes(taskId);
      expect(types.filter((type) => type === 'markerRecordedEventAttributes')).toHaveLength(1);
      expect(types).toHaveLength(8);
    },
    TEST_MS,
  );
});

describe('a database that is killed', () => {
  it(
    'holds up no task; what happened meanwhile is recorded when it is back, and nothing twice',
    async () => {
      const before = await Promise.all(Array.from({ length: 3 }, () => bench.create('buy')));
      await Promise.all(before.map(answerQuestion));
      const waiting = await Promise.all(before.map((taskId) => waitForApproval(desk, bench.workflowId(taskId))));
      postgres.signal('SIGKILL');
      await postgres.ended();
      for (const found of waiting) {
        await decide(desk, found, decisionOn(found, 'one'));
        await decide(desk, found, decisionOn(found, 'two'));
      }
      const startedAt = Date.now();
      const meanwhile = await Promise.all(Array.from({ length: 5 }, () => bench.create('quick')));
      const rounds = await bench.create('rounds', { left: 2, reports: 60 });
      const crowded = await bench.create('rounds', { left: 0, reports: 120, pauseMs: 1_500 });
      const ended = [...before, ...meanwhile, rounds, crowded];
      await Promise.all(ended.map((taskId) => bench.until(taskId, 'completed')));
      process.stdout.write(`ended after ${String(Date.now() - startedAt)} ms without a database\n`);
      await postgres.restart();
      for (const taskId of ended) await eventually(() => isRecordedToItsEnd(taskId), UNTIL_RECORDED_MS);

      expect(await audit.story(meanwhile[0]!)).toEqual(['0 created', '1 ended']);
      for (const taskId of ended) {
        // Those of one task may be handed over in several parts, and the last part may be recorded before another one.
        await eventually(async () => {
          const seqs = (await audit.story(taskId)).map((line) => Number(line.split(' ')[0]));
          expect(seqs).toEqual(seqs.map((_, index) => index));
        }, UNTIL_RECORDED_MS);
      }
      expect((await checkAudit(audit.db, testAuditKeys)).problems).toEqual([]);
      const { tasks } = await bench.store.list(bench.caller, { size: 100 });
      expect(new Set(tasks.map(({ tool }) => tool))).toEqual(new Set(['buy', 'quick', 'rounds']));
      const late = [
        ...meanwhile.map((taskId) => [taskId, 0] as const),
        ...[0, 50, 100].map((at) => [crowded, at] as const),
      ];
      for (const [taskId, first] of late) {
        await eventually(async () => (await statusOfLateActs(taskId, first)) === 'COMPLETED', UNTIL_RECORDED_MS);
      }
    },
    2 * TEST_MS,
  );
});
