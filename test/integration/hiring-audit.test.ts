/** Who has ended a hiring, as the audit tells it: the candidate by their link, or whoever had called. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createActActivities } from '../../activities/acts.ts';
import type { AuditRow } from '../../store/audit-chain.ts';
import { checkAudit } from '../../store/audit-check.ts';
import { rowsOfTask } from '../../store/audit-rows.ts';
import { openAudit, testAuditKeys, type TestAudit } from '../support/audit.ts';
import { eventually } from '../support/eventually.ts';
import { openHiringBench, thePanel, theWayOut, type HiringBench } from '../support/hiring-bench.ts';
import { CANDIDATE_MAIL } from '../support/hiring.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';

const TEST_MS = 120_000;

let audit: TestAudit;
let hiring: HiringBench;

beforeAll(async () => {
  audit = await openAudit(await startPostgres(postgresKinds[0]!));
  hiring = await openHiringBench(createActActivities(audit.log));
}, TEST_MS);

/** Once its end is among them. */
async function rowsOf(taskId: string): Promise<readonly AuditRow[]> {
  return eventually(async () => {
    const rows = await rowsOfTask(audit.db, taskId);
    return rows.at(-1)?.type === 'ended' && rows;
  });
}

/** Type, by whom, and for an approval how it ended, of all that came after the first `count` acts. */
function storyOf(rows: readonly AuditRow[], count: number): readonly unknown[] {
  return rows.slice(count).map(({ type, by, data }) => [type, by, data['title'] ?? data['status'], data['result']]);
}

describe('the audit of a hiring', () => {
  it(
    'tells that the candidate has withdrawn, by which link and why, and that nobody has cancelled',
    async () => {
      const taskId = await hiring.hire();
      await hiring.asked(taskId, thePanel);
      const wayOut = await hiring.asked(taskId, theWayOut);
      await hiring.answer(wayOut, { reason: 'I stay where I am.' });
      await hiring.resultOf(taskId);

      const rows = await rowsOf(taskId);
      expect(storyOf(rows, 3)).toEqual([
        ['voted', 'the candidate', undefined, undefined],
        ['approval_decided', null, 'Application: Backend engineer', 'approved'],
        ['approval_decided', null, 'Interview 1: Backend engineer', 'withdrawn'],
        ['ended', null, 'completed', undefined],
      ]);
      const { id } = wayOut.open[0]!;
      expect(rows[3]!.data).toMatchObject({
        approval: id,
        subject: `link ${id}`,
        choice: 'approve',
        reason: 'I stay where I am.',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(rows[4]!.data).toMatchObject({ approval: id, by: ['the candidate'] });
      expect(rows[5]!.data).toMatchObject({ by: [] });
    },
    TEST_MS,
  );

  it(
    'tells that it was cancelled, and nothing of an answer of the candidate',
    async () => {
      const { taskId, offer } = await hiring.untilOffered();
      await hiring.cancel(taskId);
      await hiring.bench.until(taskId, 'cancelled');
      await hiring.answer(offer);

      const rows = await rowsOf(taskId);
      const before = rows.findIndex(({ type }) => type === 'cancel_requested');
      const closed = storyOf(rows, before);
      expect(closed[0]).toEqual(['cancel_requested', null, undefined, undefined]);
      expect(closed.slice(1)).toEqual([
        ['approval_decided', null, 'Application: Backend engineer', 'withdrawn'],
        ['approval_decided', null, 'Offer: Backend engineer', 'withdrawn'],
        ['ended', null, 'cancelled', undefined],
      ]);
      expect(rows.filter(({ by }) => by === 'the candidate')).toEqual([]);
      // It has been shown: by the acts before, what was offered stands with its digest.
      expect(rows.find(({ about }) => about === offer.open[0]!.id)?.data).toMatchObject({ amount: '72000.00 EUR' });
    },
    TEST_MS,
  );

  it(
    'tells the yes to an offer from the way out of it, in a chain that holds',
    async () => {
      const { taskId, offer } = await hiring.untilOffered();
      await hiring.answer(offer);
      await hiring.resultOf(taskId);
      const rows = await rowsOf(taskId);
      expect(storyOf(rows, rows.length - 4)).toEqual([
        ['voted', 'the candidate', undefined, undefined],
        ['approval_decided', null, 'Offer: Backend engineer', 'approved'],
        ['approval_decided', null, 'Application: Backend engineer', 'withdrawn'],
        ['ended', null, 'completed', undefined],
      ]);
      expect(rows.at(-4)!.data).toMatchObject({ approval: offer.open[0]!.id });
      expect((await checkAudit(audit.db, testAuditKeys)).problems).toEqual([]);
      // To whom the link went belongs to what was answered, and its digest.
      expect(rows.find(({ about }) => about === offer.open[0]!.id)?.data['shown']).toContain(CANDIDATE_MAIL);
    },
    TEST_MS,
  );
});
