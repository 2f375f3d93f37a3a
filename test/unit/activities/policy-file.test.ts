import { describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPolicy } from '../../../activities/policy-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OURS = 'policy/purchase-policy.json';

interface Written {
  approvals: { above: Record<string, string>; category?: string; quorum?: number }[];
  currencies: Record<string, unknown>;
  [member: string]: unknown;
}

async function readChanged(change: (policy: Written) => void): ReturnType<typeof readPolicy> {
  const policy = JSON.parse(await readFile(OURS, 'utf8')) as Written;
  change(policy);
  const file = join(await temporaryFolder(), 'policy.json');
  await writeFile(file, JSON.stringify(policy));
  return readPolicy(file);
}

describe('readPolicy', () => {
  it('reads the policy of the product', async () => {
    expect((await readPolicy(OURS)).version).not.toBe('');
  });

  it('has one person approve where nothing else is said', async () => {
    const { approvals } = await readChanged((policy) => delete policy.approvals[0]!.quorum);
    expect(approvals[0]?.quorum).toBe(1);
  });

  it.each<[string, (policy: Written) => void, string]>([
    ['a limit that is no decimal text', (policy) => (policy.currencies['EUR'] = { justificationAbove: 1000 }), 'EUR'],
    ['a rule without a limit in a currency', ({ approvals: [rule] }) => delete rule!.above['JPY'], 'no limit in JPY'],
    ['a rule for an unknown category', ({ approvals: [rule] }) => (rule!.category = 'pets'), 'none of the categories'],
    ['a quorum of nobody', ({ approvals: [rule] }) => (rule!.quorum = 0), 'quorum'],
    ['no time to decide', (policy) => (policy['decideWithinHours'] = 0), 'decideWithinHours'],
    ['a member that it does not know', (policy) => (policy['approvalAbove'] = '1'), 'approvalAbove'],
  ])('does not take %s', async (_what, change, said) => {
    await expect(readChanged(change)).rejects.toThrow(said);
  });
});
