import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHiringActivities, type HiringPolicy } from '../../activities/hiring-policy.ts';
import type { JsonObject } from '../../protocol/task.ts';
import { hr, openHiringBench, theOffer, thePanel, type HiringBench } from '../support/hiring-bench.ts';
import { aHiring, askedOf, CANDIDATE_MAIL, CANDIDATE_NAME, decideAs } from '../support/hiring.ts';
import { atScopeEnd } from '../support/scope.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TEST_MS = 120_000;
const NO = { choice: 'reject', option: 'skills', reason: 'Too little of it.' } as const;

const policy = JSON.parse(await readFile('policy/hiring-policy.json', 'utf8')) as HiringPolicy;

let policyFile: string;
let hiring: HiringBench;

beforeAll(async () => {
  policyFile = join(await temporaryFolder(), 'hiring-policy.json');
  await writeFile(policyFile, JSON.stringify(policy));
  hiring = await openHiringBench(createHiringActivities(policyFile));
}, TEST_MS);

describe('a hiring', () => {
  it(
    'goes from the CV over the interviews and the approved offer to the yes of the candidate',
    async () => {
      const taskId = await hiring.hire();
      const found = await hiring.asked(taskId, thePanel);
      expect((await hiring.bench.get(taskId)).statusMessage).toMatch(/^Waiting for engineering, due .* UTC, 0 of 2$/);
      expect(found.open[0]!.details).toMatchObject({
        Candidate: CANDIDATE_NAME,
        Score: '90.00 of 100.00; 60 % are needed',
        '1. typescript, level 5': '40.00 of 50: found level 4; 50 × 4/5',
      });
      await hiring.sayHire(taskId);
      const atHr = await hiring.asked(taskId, hr);
      const digest = atHr.open[0]!.details['Digest of the offer'];
      expect(atHr.open[0]).toMatchObject({ amount: '72000.00 EUR', details: { Salary: '72000.00 EUR a year' } });
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      await decideAs(hiring.desk, atHr, 'Hanna');
      const offer = await hiring.asked(taskId, theOffer);
      expect(offer.open[0]!.details['Digest of the offer']).toBe(digest);
      expect((await hiring.bench.get(taskId)).statusMessage).toMatch(
        /^Waiting for the candidate, by a link, due .* UTC$/,
      );
      expect(await hiring.answer(offer, { reason: 'I look forward to it.' })).toMatchObject({
        counted: true,
        decided: { result: 'approved', by: ['the candidate'] },
      });
      expect(await hiring.resultOf(taskId)).toMatchObject({
        outcome: 'accepted',
        stage: 'offer',
        endedBy: 'candidate',
        sheet: { points: '90.00', isPassed: true },
        rounds: [
          {
            round: 1,
            role: 'engineering',
            result: 'hire',
            votes: [
              { by: 'Engineer 1', said: 'hire', reason: 'Knows the trade.' },
              { by: 'Engineer 2', said: 'hire' },
            ],
          },
        ],
        offer: { digest, policyVersion: '2026-12', approvedBy: ['Hanna'], offeredTo: CANDIDATE_MAIL },
        answer: { said: 'accepted', reason: 'I look forward to it.' },
      });
      // Nothing of it is open any more, the way out included.
      const over = await hiring.desk.read(hiring.bench.workflowId(taskId));
      expect(over).toMatchObject({ open: [], isOver: true });
      expect(over!.decided.map(({ result }) => result)).toEqual(['approved', 'approved', 'approved', 'withdrawn']);
    },
    TEST_MS,
  );

  it('ends at the screening below the points that are needed, or without what is required', async () => {
    const few = { ...(aHiring()['position'] as JsonObject), minPercent: 91 };
    expect(await hiring.resultOf(await hiring.hire({ position: few }))).toMatchObject({
      outcome: 'rejected_at_screening',
      endedBy: 'criteria',
      sheet: { points: '90.00', minPercent: 91, isPassed: false, unmet: [] },
      rounds: [],
      answer: null,
    });
    const candidate = { ...(aHiring()['candidate'] as JsonObject), languages: [] };
    expect(await hiring.resultOf(await hiring.hire({ candidate }))).toMatchObject({
      outcome: 'rejected_at_screening',
      sheet: { unmet: ['German, B2'] },
    });
  });

  it('tells at once what the policy refuses of the offer, and the candidate hears of nothing', async () => {
    const taskId = await hiring.hire({ offer: { salary: '72000.123', currency: 'XTS', startDate: '2020-01-01' } });
    const ended = await hiring.bench.until(taskId, 'completed');
    expect(ended).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(ended)).toMatch(
      /offer\.currency: salaries are paid in EUR.*offer\.startDate: this day has passed/,
    );
    // Neither by a link to withdraw, which is an approval that asks the candidate.
    expect(await hiring.desk.read(hiring.bench.workflowId(taskId))).toMatchObject({ open: [], decided: [] });
  });

  it(
    'reads the policy again before the offer is approved: what it refuses by then nobody is asked about',
    async () => {
      const taskId = await hiring.hire();
      await hiring.asked(taskId, thePanel);
      await writeFile(policyFile, JSON.stringify({ ...policy, currencies: ['CHF'] }));
      atScopeEnd(() => writeFile(policyFile, JSON.stringify(policy)));
      await hiring.sayHire(taskId);
      const ended = await hiring.bench.until(taskId, 'completed');
      expect(ended).toMatchObject({ result: { isError: true } });
      expect(JSON.stringify(ended)).toContain('offer.currency: salaries are paid in CHF');
    },
    TEST_MS,
  );

  it(
    'ends when a panel says no, which takes a reason, as does a yes',
    async () => {
      const taskId = await hiring.hire();
      const found = await hiring.asked(taskId, thePanel);
      expect(await decideAs(hiring.desk, found, 'Ina', { reason: '  ' })).toMatchObject({
        counted: false,
        refusal: { code: 'not_offered' },
      });
      await decideAs(hiring.desk, found, 'Ina');
      expect(await decideAs(hiring.desk, found, 'Ivo', NO)).toMatchObject({
        counted: true,
        decided: { result: 'rejected' },
      });
      expect(await hiring.resultOf(taskId)).toMatchObject({
        outcome: 'no_hire',
        stage: 'interviews',
        endedBy: 'panel',
        rounds: [{ result: 'no_hire', votes: [{ said: 'hire' }, { said: 'no hire', reason: 'Too little of it.' }] }],
      });
    },
    TEST_MS,
  );

  it(
    'holds another round when a panel wants one, at most five, and ends when nobody decides in time',
    async () => {
      const rounds = [{ role: 'engineering', quorum: 1, withinSeconds: 12, escalateTo: 'management' }];
      const taskId = await hiring.hire({ rounds });
      const seen = new Set<string>();
      for (let round = 1; round <= 4; round += 1) {
        const found = await hiring.asked(taskId, (each) =>
          [thePanel(each)].find((one) => one !== undefined && !seen.has(one.id)),
        );
        seen.add(found.open[0]!.id);
        expect(found.open[0]).toMatchObject({ title: `Interview ${String(round)}: Backend engineer` });
        await decideAs(hiring.desk, found, 'Ina', { choice: 'request_changes', reason: 'Ask about tests.' });
      }
      const last = await hiring.asked(taskId, (each) =>
        [thePanel(each)].find((one) => one !== undefined && !seen.has(one.id)),
      );
      expect(last.open[0]).toMatchObject({ canRequestChanges: false });
      const escalated = await hiring.asked(taskId, (each) => askedOf(each, 'management'));
      expect(escalated.open[0]!.id).toBe(last.open[0]!.id);
      expect(await hiring.resultOf(taskId)).toMatchObject({
        outcome: 'not_decided_in_time',
        endedBy: 'time',
        stage: 'interviews',
      });
      expect(await decideAs(hiring.desk, last, 'Ina')).toMatchObject({
        counted: false,
        refusal: { code: 'decided', decided: { result: 'expired' } },
      });
    },
    TEST_MS,
  );

  it(
    'makes no offer that is not approved: a large one takes finance as well',
    async () => {
      const taskId = await hiring.hire({
        offer: { ...(aHiring()['offer'] as JsonObject), salary: '95000' },
        rounds: [{ role: 'engineering', quorum: 1, withinSeconds: 60 }],
      });
      await hiring.sayHire(taskId);
      await decideAs(hiring.desk, await hiring.asked(taskId, hr), 'Hanna');
      const finance = await hiring.asked(taskId, (found) => askedOf(found, 'finance'));
      expect(finance.open[0]!.reason).toContain('above 80000 EUR');
      await decideAs(hiring.desk, finance, 'Fred', { choice: 'reject', reason: 'Not this year.' });
      expect(await hiring.resultOf(taskId)).toMatchObject({
        outcome: 'offer_not_approved',
        stage: 'offer_approval',
        offer: { approvedBy: ['Hanna'], offeredTo: null },
      });
    },
    TEST_MS,
  );

  it(
    'takes a no of the candidate without a reason, and one answer only',
    async () => {
      const { taskId, offer } = await hiring.untilOffered();
      const no = await hiring.answer(offer, { choice: 'reject' });
      expect(no).toMatchObject({ counted: true, decided: { result: 'rejected' } });
      expect(await hiring.answer(offer)).toMatchObject({
        counted: false,
        refusal: { code: 'decided', decided: { result: 'rejected' } },
      });
      expect(await hiring.resultOf(taskId)).toMatchObject({
        outcome: 'declined',
        answer: { said: 'declined', reason: '' },
      });
    },
    TEST_MS,
  );

  it(
    'lets an offer expire, after which no answer counts',
    async () => {
      const { taskId, offer } = await hiring.untilOffered({ offerValidSeconds: 6 });
      expect(await hiring.resultOf(taskId)).toMatchObject({ outcome: 'offer_expired', endedBy: 'time', answer: null });
      expect(await hiring.answer(offer)).toMatchObject({ counted: false, refusal: { decided: { result: 'expired' } } });
    },
    TEST_MS,
  );
});
