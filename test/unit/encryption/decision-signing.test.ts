import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf, isSigned, readDecisionKeys, signDecision } from '../../../encryption/decision-signing.ts';
import type { Decision } from '../../../protocol/decision.ts';
import { ConfigError } from '../../../protocol/config-error.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const decision: Decision = {
  taskId: 't',
  approvalId: 'a',
  digest: digestOf('shown'),
  person: { principals: ['p'], subject: 's', name: 'n' },
  roles: ['finance'],
  choice: 'approve',
  updateId: 'u',
  decidedAt: 1,
};
const key = (): string => randomBytes(32).toString('hex');

describe('the mark on a decision', () => {
  it('holds for the decision and the key that made it', () => {
    const keys = [randomBytes(32)] as const;
    const signed = signDecision(keys, decision);
    expect(isSigned(keys, signed)).toBe(true);
    expect(isSigned([randomBytes(32)], signed)).toBe(false);
    expect(isSigned(keys, { ...signed, decision: { ...decision, choice: 'reject' } })).toBe(false);
    expect(isSigned(keys, { ...signed, signature: signed.signature.slice(2) })).toBe(false);
    expect(isSigned(keys, { ...signed, signature: 'not hex' })).toBe(false);
  });

  it('outlives the replacement of its key by one', () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    expect(isSigned([fresh, old], signDecision([old], decision))).toBe(true);
    expect(isSigned([old], signDecision([fresh, old], decision))).toBe(false);
  });
});

describe('the keys', () => {
  it('come from the variable, one or two', async () => {
    const [a, b] = [key(), key()];
    expect(await readDecisionKeys({ DECISION_KEY: a })).toEqual([Buffer.from(a, 'hex')]);
    expect(await readDecisionKeys({ DECISION_KEY: `${a}, ${b}` })).toHaveLength(2);
  });

  it.each([key().slice(2), 'zz'.repeat(32), `${key()},${key()},${key()}`, `${key()},`, 'too short'])(
    'are refused without a word of what they are: %#',
    async (text) => {
      const error: unknown = await readDecisionKeys({ DECISION_KEY: text }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toMatch(/DECISION_KEY: must hold one key or two, each of 64 hex digits/);
      expect(String(error)).not.toContain(text);
    },
  );

  it('come from the data folder, where they are made for this user only', async () => {
    const folder = await temporaryFolder();
    const made = await readDecisionKeys({ DATA_DIR: folder });
    expect(await readDecisionKeys({ DATA_DIR: folder })).toEqual(made);
    const path = join(folder, 'decision.key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe(Buffer.from(made[0]).toString('hex'));
    await chmod(path, 0o600);
    await writeFile(path, 'damaged');
    await expect(readDecisionKeys({ DATA_DIR: folder })).rejects.toThrow(/decision\.key must hold one key/);
  });

  it('name the variable whose file is not there', async () => {
    await expect(readDecisionKeys({ DECISION_KEY_FILE: '/nowhere/key' })).rejects.toThrow(/DECISION_KEY_FILE/);
  });
});
