import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readAuditKeys } from '../../../encryption/audit-keys.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DECISION = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const [OLD, NEW] = ['0a'.repeat(32), '0b'.repeat(32)];

describe('the keys of the audit', () => {
  it('follow from those of decisions, and are others', async () => {
    const keys = await readAuditKeys({}, DECISION);
    expect(keys).toHaveLength(2);
    expect(await readAuditKeys({}, DECISION)).toEqual(keys);
    const [alone] = await readAuditKeys({}, [DECISION[1]]);
    expect(keys[1]).toEqual(alone);
    for (const { key } of keys) expect(DECISION.some((decision) => decision.equals(key))).toBe(false);
  });

  it('are those of AUDIT_KEY, by their ids, the newest first', async () => {
    const derived = await readAuditKeys({}, DECISION);
    const [newest, former, ...rest] = await readAuditKeys({ AUDIT_KEY: `${NEW},${OLD}` }, DECISION);
    const [alone] = await readAuditKeys({ AUDIT_KEY: OLD }, DECISION);
    // What was written before there was a key of its own is still checked.
    expect(rest).toEqual(derived);
    expect(Buffer.from(newest.key).toString('hex')).toBe(NEW);
    expect(former).toEqual(alone);
    expect(newest.id).toMatch(/^[0-9a-f]{16}$/);
    const file = join(await temporaryFolder(), 'key');
    await writeFile(file, `${OLD}\n`);
    expect(await readAuditKeys({ AUDIT_KEY_FILE: file }, DECISION)).toEqual([alone, ...derived]);
  });

  it.each(['', 'short', `${OLD},`, `${OLD.slice(1)}x`])('must be hex: %j', async (text) => {
    const told = readAuditKeys({ AUDIT_KEY: text }, DECISION);
    await expect(told).rejects.toThrow('AUDIT_KEY: must hold one key to 20, each of 64 hex digits, the newest first');
    await expect(told).rejects.not.toThrow(OLD.slice(1, 60));
  });
});
