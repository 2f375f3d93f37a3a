import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  createHiringActivities,
  judgeOffer,
  readHiringPolicy,
  type HiringPolicy,
  type OfferFacts,
} from '../../../activities/hiring-policy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OURS = 'policy/hiring-policy.json';
const TODAY = '2026-12-01';
const offer: OfferFacts = {
  candidate: 'Robin Beispiel',
  position: 'Engineer',
  salary: '72000',
  currency: 'EUR',
  startDate: '2027-02-01',
};

async function policyWith(change: (policy: Record<string, unknown>) => void): Promise<HiringPolicy> {
  const policy = JSON.parse(await readFile(OURS, 'utf8')) as Record<string, unknown>;
  change(policy);
  const file = join(await temporaryFolder(), 'policy.json');
  await writeFile(file, JSON.stringify(policy));
  return readHiringPolicy(file);
}

describe('who approves an offer', () => {
  it.each([
    ['0.01', ['hr']],
    ['80000.00', ['hr']],
    ['80000.01', ['hr', 'finance']],
    ['150000', ['hr', 'finance']],
    ['150000.01', ['hr', 'finance', 'management']],
  ])('stands in the policy: of %s EUR %j', async (salary, roles) => {
    const { approvals, refusals } = judgeOffer(await readHiringPolicy(OURS), { ...offer, salary }, TODAY);
    expect([approvals.map(({ role }) => role), refusals]).toEqual([roles, []]);
    expect(approvals.at(-1)!.quorum).toBe(roles.includes('management') ? 2 : 1);
  });
});

describe('an offer', () => {
  it.each<[Partial<OfferFacts>, RegExp]>([
    [{ currency: 'JPY' }, /^offer\.currency: salaries are paid in EUR, CHF, GBP, USD only\.$/],
    [{ currency: 'QQQ' }, /^offer\.currency:/],
    [{ salary: '1.001' }, /^offer\.salary: must have at most 2 decimals\.$/],
    [{ salary: '0.00' }, /^offer\.salary: must be more than nothing\.$/],
    [{ startDate: '2026-11-30' }, /^offer\.startDate: this day has passed\.$/],
    [{ startDate: '2027-12-02' }, /^offer\.startDate: the day must lie within 365 days\.$/],
  ])('is refused: %j', async (more, said) => {
    const { refusals, approvals } = judgeOffer(await readHiringPolicy(OURS), { ...offer, ...more }, TODAY);
    expect(refusals).toEqual([expect.stringMatching(said)]);
    expect(approvals).toEqual([]);
  });

  it('has a digest of all that is offered', async () => {
    const activities = createHiringActivities(OURS);
    const check = (more: Partial<OfferFacts>) => activities.checkOffer({ offer: { ...offer, ...more }, today: TODAY });
    const changes: Partial<OfferFacts>[] = [
      {},
      { candidate: 'Another' },
      { position: 'Director' },
      { salary: '72001' },
      { currency: 'CHF' },
      { startDate: '2027-02-02' },
    ];
    const verdicts = await Promise.all(changes.map(check));
    expect(new Set(verdicts.map(({ digest }) => digest)).size).toBe(changes.length);
    expect((await check({ salary: '72000.00' })).digest).toBe(verdicts[0]!.digest);
    expect(verdicts[0]).toMatchObject({ salary: '72000.00', policyVersion: '2026-12' });
  });
});

describe('readHiringPolicy', () => {
  it('does not take a rule without a limit in a currency: it would let every offer in it pass', async () => {
    await expect(policyWith((policy) => (policy['currencies'] = ['EUR', 'SEK']))).rejects.toThrow('no limit in SEK');
  });

  it('does not take a policy that asks nobody', async () => {
    await expect(policyWith((policy) => (policy['offers'] = []))).rejects.toThrow('offers');
  });
});
