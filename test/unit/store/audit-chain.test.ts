import { describe, expect, it } from '@jest/globals';
import {
  CHAIN_START,
  chained,
  isGenuineHead,
  isGenuineRow,
  keepable,
  signedHead,
  type AuditEntry,
  type AuditRow,
} from '../../../store/audit-chain.ts';

const KEY = { id: 'k', key: Buffer.alloc(32, 1) };
const ENTRY: AuditEntry = {
  taskId: 'T',
  seq: 0,
  at: new Date(1),
  type: 'voted',
  about: 'A',
  by: 'one',
  data: { b: 1, a: { d: [1, 2], c: null } },
};
const [FIRST, SECOND] = chained([ENTRY, ENTRY], CHAIN_START, [KEY]) as [AuditRow, AuditRow];

describe('the chain', () => {
  it('begins at one, and leads from each row to the next', () => {
    expect([FIRST.id, SECOND.id]).toEqual([1n, 2n]);
    expect([FIRST.prevHash, SECOND.prevHash]).toEqual([CHAIN_START.hash, FIRST.hash]);
    expect(isGenuineRow(KEY, FIRST)).toBe(true);
  });

  it('does not mind in which order a database gives the members of data', () => {
    expect(isGenuineRow(KEY, { ...FIRST, data: { a: { c: null, d: [1, 2] }, b: 1 } })).toBe(true);
  });

  it.each<[keyof AuditRow, Partial<AuditRow>]>([
    ['id', { id: 2n }],
    ['taskId', { taskId: 'U' }],
    ['seq', { seq: null }],
    ['at', { at: new Date(2) }],
    ['type', { type: 'viewed' }],
    ['about', { about: '' }],
    ['by', { by: null }],
    ['data', { data: { b: 1, a: { d: [2, 1], c: null } } }],
    ['keyId', { keyId: 'l' }],
    ['prevHash', { prevHash: SECOND.hash }],
    ['hash', { hash: SECOND.hash }],
  ])('breaks when %s is another one', (_, change) => {
    expect(isGenuineRow(KEY, { ...FIRST, ...change })).toBe(false);
  });

  it('cannot be made without the key', () => {
    expect(isGenuineRow({ id: 'k', key: Buffer.alloc(32, 2) }, FIRST)).toBe(false);
    expect(isGenuineRow(KEY, { ...FIRST, hash: '' })).toBe(false);
  });

  it('has heads that are signed as a whole, and are no rows', () => {
    const head = signedHead(SECOND, new Date(3), [KEY]);
    expect(isGenuineHead(KEY, head)).toBe(true);
    for (const change of [{ id: 1n }, { hash: FIRST.hash }, { at: new Date(4) }, { keyId: 'l' }]) {
      expect(isGenuineHead(KEY, { ...head, ...change })).toBe(false);
    }
  });
});

describe('keepable', () => {
  it('replaces what Postgres does not take, and nothing else', () => {
    const text = 'tab\t, 😀, é';
    expect(keepable({ 'a\0': ['b\ud800c', 1, null, true, text] })).toEqual({
      'a\uFFFD': ['b\uFFFDc', 1, null, true, text],
    });
  });
});
