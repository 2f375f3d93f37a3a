import { beforeAll, describe, expect, it } from '@jest/globals';
import { decide, decideSurely, decisionOn } from '../support/approver.ts';
import { openHiringBench, thePanel, theWayOut, type HiringBench } from '../support/hiring-bench.ts';
import { answerByLink, CANDIDATE_MAIL, CANDIDATE_NAME, decideAs } from '../support/hiring.ts';

const TEST_MS = 120_000;

let hiring: HiringBench;

beforeAll(async () => {
  hiring = await openHiringBench();
}, TEST_MS);

describe('who ends it', () => {
  it(
    'may be the candidate, at any time',
    async () => {
      const taskId = await hiring.hire();
      const found = await hiring.asked(taskId, thePanel);
      await decideAs(hiring.desk, found, 'Ina');
      const wayOut = await hiring.asked(taskId, theWayOut);
      // The way out offers one answer.
      expect(await hiring.answer(wayOut, { choice: 'reject', reason: 'no' })).toMatchObject({
        refusal: { code: 'not_offered' },
      });
      expect(await hiring.answer(wayOut)).toMatchObject({ counted: true, decided: { result: 'approved' } });
      expect(await hiring.resultOf(taskId)).toMatchObject({
        outcome: 'withdrawn_by_candidate',
        endedBy: 'candidate',
        stage: 'interviews',
        sheet: { points: '90.00' },
      });
      expect(await decideAs(hiring.desk, found, 'Ivo')).toMatchObject({
        counted: false,
        refusal: { code: 'decided', decided: { result: 'withdrawn' } },
      });
    },
    TEST_MS,
  );

  it(
    'may be the candidate instead of answering the offer, which then cannot be accepted any more',
    async () => {
      const { taskId, offer } = await hiring.untilOffered();
      await hiring.answer(await hiring.asked(taskId, theWayOut));
      expect(await hiring.answer(offer)).toMatchObject({
        counted: false,
        refusal: { decided: { result: 'withdrawn' } },
      });
      expect(await hiring.resultOf(taskId)).toMatchObject({
        outcome: 'withdrawn_by_candidate',
        stage: 'offer',
        answer: null,
      });
    },
    TEST_MS,
  );

  it(
    'may be the caller, after which the candidate accepts nothing',
    async () => {
      const { taskId, offer } = await hiring.untilOffered();
      await hiring.cancel(taskId);
      expect(await hiring.bench.until(taskId, 'cancelled')).toMatchObject({ status: 'cancelled' });
      expect(await hiring.answer(offer)).toMatchObject({
        counted: false,
        refusal: { decided: { result: 'withdrawn' } },
      });
    },
    TEST_MS,
  );
});

describe('nobody else answers an offer', () => {
  it(
    'neither by writing to Temporal, nor by a role, nor the caller; and a link is good for nothing else',
    async () => {
      const { taskId, offer } = await hiring.untilOffered();
      const right = answerByLink(offer);
      const forged = await hiring.desk.decide(offer.workflowId, { decision: right, signature: '0'.repeat(64) });
      expect(forged).toMatchObject({ counted: false, refusal: { code: 'unsigned' } });
      const { byLink: _, ...noLink } = answerByLink(offer);
      expect(await decide(hiring.desk, offer, noLink)).toMatchObject({ refusal: { code: 'not_asked' } });
      const byRole = decisionOn(offer, 'Hanna', { roles: ['hr', 'engineering'] });
      expect(await decide(hiring.desk, offer, byRole)).toMatchObject({ refusal: { code: 'not_asked' } });
      expect(await hiring.answer(offer, { digest: 'f'.repeat(64) })).toMatchObject({ refusal: { code: 'changed' } });
      await hiring.cancel(taskId);

      const other = await hiring.hire();
      const interview = await hiring.asked(other, thePanel);
      const byLink = decisionOn(interview, 'Ina', { roles: ['engineering'], reason: 'x', byLink: true });
      expect(await decide(hiring.desk, interview, byLink)).toMatchObject({ refusal: { code: 'not_asked' } });
      await hiring.cancel(other);
    },
    TEST_MS,
  );
});

it('names the candidate nowhere that is not encrypted', async () => {
  const taskId = await hiring.hire();
  await hiring.asked(taskId, thePanel);
  const { service } = hiring.bench;
  const workflowExecution = { workflowId: hiring.bench.workflowId(taskId) };
  const described = await service.call(
    (rpc) => rpc.describeWorkflowExecution({ namespace: service.namespace, execution: workflowExecution }),
    5_000,
  );
  const clear = JSON.stringify(described, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
  expect(clear).toContain('hire_candidate');
  expect(clear).not.toContain(CANDIDATE_NAME);
  expect(clear).not.toContain(CANDIDATE_MAIL);
  await hiring.cancel(taskId);
});

// Last: it stops the worker.
it(
  'goes on where it stood when its worker is gone between two steps, and after an answer that came meanwhile',
  async () => {
    const { taskId, offer } = await hiring.untilOffered();
    await hiring.stopWorker();
    const decision = answerByLink(offer);
    expect(await decide(hiring.desk, offer, decision)).toBe('unconfirmed');
    await hiring.startWorker();
    expect(await decideSurely(hiring.desk, offer, decision)).toMatchObject({ counted: true });
    expect(await hiring.resultOf(taskId)).toMatchObject({ outcome: 'accepted' });
  },
  TEST_MS,
);
