import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createActActivities } from '../../activities/acts.ts';
import { rebuildQueue, reconcile, type ReconcilerParts } from '../../server/approvals/reconciler.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import { TemporalTaskSurvey } from '../../server/temporal/temporal-task-survey.ts';
import { PostgresApprovalQueue } from '../../store/approval-queue.ts';
import { checkAudit } from '../../store/audit-check.ts';
import { rowsOfTask, tasksEnded } from '../../store/audit-rows.ts';
import { waitForApproval } from '../support/approver.ts';
import { openAudit, testAuditKeys, type TestAudit } from '../support/audit.ts';
import { eventually } from '../support/eventually.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { resetToFirstStep } from '../support/reset-to-first-step.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';

const TEST_MS = 120_000;
/** Visibility lags. */
const UNTIL_SEEN_MS = 20_000;
const startedAt = new Date(Date.now() - 60_000);

let audit: TestAudit;
let bench: TaskBench;
let queue: PostgresApprovalQueue;
let parts: ReconcilerParts;

beforeAll(async () => {
  audit = await openAudit(await startPostgres(postgresKinds[0]!));
  const entry = fileURLToPath(new URL('./approval-workflows.ts', import.meta.url));
  bench = await openTaskBench(entry, createActActivities(audit.log));
  await bench.startWorker();
  queue = new PostgresApprovalQueue(audit.db);
  parts = {
    survey: new TemporalTaskSurvey(bench.service),
    desk: new TemporalApprovalDesk(bench.service),
    queue,
    audit: audit.log,
    tasksEnded: (taskIds) => tasksEnded(audit.db, taskIds),
  };
}, TEST_MS);

const listed = async (): Promise<readonly string[]> =>
  (await queue.list({ subjects: ['nobody'], roles: ['finance'] }, { limit: 100 })).map(({ workflowId }) => workflowId);

async function* nothing(): AsyncGenerator<never> {
  yield* [];
}

async function open(): Promise<string> {
  const taskId = await bench.create('approve');
  await waitForApproval(new TemporalApprovalDesk(bench.service), bench.workflowId(taskId));
  return taskId;
}

describe('the queue of approvals', () => {
  it(
    'is made anew from the tasks when its rows are lost',
    async () => {
      const taskIds = await Promise.all([1, 2, 3].map(open));
      const wanted = taskIds.map((taskId) => bench.workflowId(taskId)).toSorted();
      await eventually(async () => (await listed()).length === 3);
      const before = await queue.list({ subjects: ['nobody'], roles: ['finance'] }, { limit: 100 });
      await sql`delete from approvals`.execute(audit.db);
      await eventually(async () => {
        await reconcile(parts, startedAt);
        return (await listed()).length === 3;
      }, UNTIL_SEEN_MS);
      expect((await listed()).toSorted()).toEqual(wanted);
      expect(await queue.list({ subjects: ['nobody'], roles: ['finance'] }, { limit: 100 })).toEqual(before);
      expect(await reconcile(parts, startedAt)).toEqual({ added: 0, removed: 0 });
      expect(await rebuildQueue(parts)).toEqual({ open: 3, added: 0, changed: 0, removed: 0 });
      await sql`update approvals set title = 'other', roles = '{board}' where workflow_id = ${wanted[0]}`.execute(
        audit.db,
      );
      await sql`update approvals set claimed_by = 'finance-1'`.execute(audit.db);
      expect(await rebuildQueue(parts)).toEqual({ open: 3, added: 0, changed: 1, removed: 0 });
      expect(await queue.list({ subjects: ['nobody'], roles: ['finance'] }, { limit: 100 })).toEqual(
        before.map((row) => ({ ...row, claimedBy: 'finance-1' })),
      );
      for (const taskId of taskIds) await bench.store.cancel(bench.caller, taskId, 'done');
      await Promise.all(taskIds.map((taskId) => bench.until(taskId, 'cancelled')));
      await eventually(async () => {
        expect(await listed()).toEqual([]);
      }, 30_000);
    },
    TEST_MS,
  );

  it(
    'loses what no task waits for',
    async () => {
      const first = await open();
      await eventually(async () => (await listed()).length === 1);
      await sql`
      insert into approvals select id, workflow_id, tool, title, amount, requested_by, roles, people, opened_at, due_at,
        null, null, now() - interval '1 hour' from approvals, unnest(array['stale', 'unknown']) id where closed_at is null
    `.execute(audit.db);
      await sql`update approvals set workflow_id = 'mcp-task/nobody/none' where approval_id = 'unknown'`.execute(
        audit.db,
      );
      await reconcile(parts, startedAt);
      expect(await listed()).toEqual([bench.workflowId(first)]);
      await bench.store.cancel(bench.caller, first, 'done');
    },
    TEST_MS,
  );

  it(
    'keeps what its task waits for, as long as visibility does not show that task',
    async () => {
      const taskId = await open();
      const workflowId = bench.workflowId(taskId);
      await eventually(async () => (await listed()).includes(workflowId));
      // Older than what may still settle.
      await sql`update approvals set queued_at = now() - interval '1 hour'`.execute(audit.db);
      await reconcile({ ...parts, survey: { waiting: nothing, endedFromOutside: nothing } }, startedAt);
      expect(await listed()).toContain(workflowId);
      await bench.store.cancel(bench.caller, taskId, 'done');
    },
    TEST_MS,
  );
});

describe('what an operator does', () => {
  it(
    'is told once: a task that was terminated',
    async () => {
      const taskId = await open();
      await bench.service.client.getHandle(bench.workflowId(taskId)).terminate('it was a mistake');
      await sql`update approvals set queued_at = now() - interval '1 minute'`.execute(audit.db);
      await eventually(async () => {
        await reconcile(parts, startedAt);
        return (await rowsOfTask(audit.db, taskId)).some(({ type }) => type === 'terminated');
      }, UNTIL_SEEN_MS);
      await reconcile(parts, startedAt);
      const ends = (await rowsOfTask(audit.db, taskId)).filter(({ seq }) => seq === null);
      expect(ends).toHaveLength(1);
      expect(ends[0]).toMatchObject({ type: 'terminated', data: { how: 'terminated', reason: 'it was a mistake' } });
      expect(ends[0]?.by).toBeTruthy();
      expect(await listed()).not.toContain(bench.workflowId(taskId));
    },
    TEST_MS,
  );

  it(
    'is told once: a task that was reset, and goes on',
    async () => {
      const taskId = await open();
      const workflowId = bench.workflowId(taskId);
      await resetToFirstStep(bench.service, workflowId);
      await eventually(async () => {
        await reconcile(parts, startedAt);
        return (await rowsOfTask(audit.db, taskId)).some(({ type }) => type === 'reset');
      }, UNTIL_SEEN_MS);
      await waitForApproval(new TemporalApprovalDesk(bench.service), workflowId);
      await bench.store.cancel(bench.caller, taskId, 'done');
      await bench.until(taskId, 'cancelled');
      await reconcile(parts, startedAt);
      expect((await rowsOfTask(audit.db, taskId)).filter(({ seq }) => seq === null)).toHaveLength(1);
      expect((await audit.story(taskId)).at(-1)).toMatch(/ ended$/);
    },
    TEST_MS,
  );

  it('leaves the audit whole', async () => {
    expect((await checkAudit(audit.db, testAuditKeys)).problems).toEqual([]);
  });
});
