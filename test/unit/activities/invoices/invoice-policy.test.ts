import { describe, expect, it } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readInvoicePolicy } from '../../../../activities/invoices/invoice-policy.ts';
import { EXCEPTIONS } from '../../../../activities/invoices/match-result.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const OURS = 'policy/invoice-policy.json';

interface Written {
  exceptions: Record<string, string>;
  approval: Record<string, unknown>;
  price: { percent: unknown };
  [member: string]: unknown;
}

async function readChanged(change: (policy: Written) => void): ReturnType<typeof readInvoicePolicy> {
  const policy = JSON.parse(await readFile(OURS, 'utf8')) as Written;
  change(policy);
  const file = join(await temporaryFolder(), 'policy.json');
  await writeFile(file, JSON.stringify(policy));
  return readInvoicePolicy(file);
}

describe('readInvoicePolicy', () => {
  it('reads the policy of the product, which says of every exception who decides', async () => {
    expect(Object.keys((await readInvoicePolicy(OURS)).exceptions).sort()).toEqual([...EXCEPTIONS].sort());
  });

  it('has one person approve where nothing else is said', async () => {
    expect((await readChanged(({ approval }) => delete approval['quorum'])).approval.quorum).toBe(1);
  });

  it.each<[string, (policy: Written) => void, string]>([
    ['an exception that nobody decides', ({ exceptions }) => delete exceptions['duplicate'], 'duplicate'],
    ['a tolerance that is no decimal text', ({ price }) => (price.percent = 2), 'percent'],
    ['no answer that may be given', (policy) => (policy['decisions'] = []), 'decisions'],
    ['more time than a task lives', ({ approval }) => (approval['decideWithinHours'] = 1_441), 'decideWithinHours'],
    ['a member that it does not know', (policy) => (policy['acceptAll'] = true), 'acceptAll'],
  ])('does not take %s', async (_what, change, said) => {
    await expect(readChanged(change)).rejects.toThrow(said);
  });
});
