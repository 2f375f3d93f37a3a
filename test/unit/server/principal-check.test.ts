import { describe, expect, it } from '@jest/globals';
import type { PrincipalRing } from '../../../server/principal.ts';
import { checkRing, keyIdOf, keyIdsOf } from '../../../server/principal-check.ts';

const [oldKey, newKey, otherKey] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const idsOf = (...ring: PrincipalRing): string => keyIdsOf(ring).join(',');

describe('the id of a key', () => {
  it('is short, always the same, and another one for another key', () => {
    expect(keyIdOf(oldKey)).toMatch(/^[0-9a-f]{16}$/);
    expect(keyIdOf(Buffer.alloc(32, 1))).toBe(keyIdOf(oldKey));
    expect(keyIdOf(newKey)).not.toBe(keyIdOf(oldKey));
  });
});

describe('a ring', () => {
  it.each<[string, PrincipalRing, string | undefined, { isKnown: boolean; record?: string }]>([
    ['is recorded by the first front', [oldKey], undefined, { isKnown: true, record: idsOf(oldKey) }],
    ['is recorded where the record was emptied', [oldKey], '', { isKnown: true, record: idsOf(oldKey) }],
    ['is known afterwards', [oldKey], idsOf(oldKey), { isKnown: true }],
    ['is not known with another key', [otherKey], idsOf(oldKey), { isKnown: false }],
    ['may get a key behind', [oldKey, newKey], idsOf(oldKey), { isKnown: true, record: idsOf(oldKey, newKey) }],
    ['may get a key before', [newKey, oldKey], idsOf(oldKey), { isKnown: true, record: idsOf(newKey, oldKey) }],
    ['may change its order', [newKey, oldKey], idsOf(oldKey, newKey), { isKnown: true, record: idsOf(newKey, oldKey) }],
    ['may lose its former key', [newKey], idsOf(newKey, oldKey), { isKnown: true, record: idsOf(newKey) }],
    ['lags behind and changes nothing', [oldKey], idsOf(newKey, oldKey), { isKnown: true }],
    ['is not known once its key is retired', [oldKey], idsOf(newKey), { isKnown: false }],
    ['does not push a new key out', [otherKey, oldKey], idsOf(newKey, oldKey), { isKnown: false }],
    ['does not come in by its former key alone', [otherKey, oldKey], idsOf(newKey), { isKnown: false }],
  ])('%s', (_what, ring, recorded, check) => {
    expect(checkRing(ring, recorded)).toEqual(check);
  });
});
