import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { callerOf } from '../../../../server/principal.ts';
import { callerAsVisitor } from '../../../../server/inbox/visitor.ts';
import { readApprovers, type Approver } from '../../../../server/inbox/approvers.ts';
import { read, root } from '../../../architecture/tree.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const person = { subject: 'finance-1', name: 'Finance 1', roles: ['finance'] };

async function fileOf(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'approvers.json');
  await writeFile(file, text);
  return file;
}

describe('readApprovers', () => {
  it('reads the list that the project brings, where each role that the purchase policy asks has two people', async () => {
    const approvers = await readApprovers(`${root}policy/approvers.json`);
    const { approvals, escalate } = JSON.parse(read('policy/purchase-policy.json')) as Record<
      'approvals' | 'escalate',
      readonly { readonly role: string }[]
    >;
    for (const { role } of [...approvals, ...escalate]) {
      expect([role, approvers.filter(({ roles }) => roles.includes(role)).length]).toEqual([role, 2]);
    }
  });

  it('reads a change at once', async () => {
    const file = await fileOf(JSON.stringify({ version: '1', people: [person] }));
    expect(await readApprovers(file)).toEqual([person]);
    await writeFile(file, JSON.stringify({ version: '2', people: [] }));
    expect(await readApprovers(file)).toEqual([]);
  });

  it('gives whoever has an organisation there their name and roles only when they come from it', () => {
    const ring = [Buffer.alloc(32, 1)] as const;
    const asVisitor = (approver: Approver, tenant?: string) => {
      const signedIn = {
        issuer: 'i',
        subject: 'finance-1',
        name: 'Self-styled',
        ...(tenant === undefined ? {} : { tenant }),
      };
      const caller = callerOf(ring, signedIn, { scopes: 'all' });
      const { person: who, roles } = callerAsVisitor(caller, { subject: 'finance-1', roles: ['board'] }, [approver]);
      return [who.name, ...roles];
    };
    const known = ['Finance 1', 'board', 'finance'];
    const stranger = ['Self-styled', 'board'];
    const ofOne = { ...person, organisation: 'one' };
    expect([asVisitor(ofOne, 'one'), asVisitor(ofOne, 'two'), asVisitor(ofOne)]).toEqual([known, stranger, stranger]);
    // The name of the file goes before the one that an issuer lets its users choose.
    expect([asVisitor(person), asVisitor(person, 'two')]).toEqual([known, known]);
  });

  it.each([
    ['no JSON', '{', /is not a list of approvers: /],
    ['no roles', JSON.stringify({ version: '1', people: [{ ...person, roles: 'all' }] }), /: people\.0\.roles: /],
    ['unknown members', JSON.stringify({ version: '1', people: [{ ...person, role: 'x' }] }), /: people\.0: .*role/],
    [
      'one subject twice',
      JSON.stringify({ version: '1', people: [person, person] }),
      /: people: finance-1 is there twice/,
    ],
  ])('says what is wrong with a file: %s', async (_what, text, problem) => {
    const file = await fileOf(text);
    await expect(readApprovers(file)).rejects.toThrow(problem);
    await expect(readApprovers(file)).rejects.toThrow(`APPROVERS_FILE: ${file}`);
  });

  it('says that a file is not there', async () => {
    await expect(readApprovers('/nowhere/approvers.json')).rejects.toThrow(
      'APPROVERS_FILE: /nowhere/approvers.json cannot be read',
    );
  });
});
