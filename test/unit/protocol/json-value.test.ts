import { describe, expect, it } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { firstNonJsonPath } from '../../../protocol/json-value.ts';

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

describe('firstNonJsonPath (C39)', () => {
  it.each<[string, unknown]>([
    ['NaN', NaN],
    ['Infinity', Infinity],
    ['negative zero', -0],
    ['a BigInt', 10n],
    ['an integer above 2^53', 1915883588174806058],
    ['a Date', new Date(NaN)],
    ['a Map', new Map()],
    ['a Buffer', Buffer.from('x')],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['undefined in a list', [undefined]],
    ['an instance of a class', new URL('http://localhost')],
  ])('names where %s stands', (_name, value) => {
    const path = Array.isArray(value) ? '$.rows[1].mean[0]' : '$.rows[1].mean';
    expect(firstNonJsonPath({ rows: [{ mean: 1 }, { mean: value }] })).toBe(path);
  });

  it('names the member that closes a cycle', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(firstNonJsonPath(loop)).toBe('$.self');
  });

  it('refuses a value that is nested without end', () => {
    expect(firstNonJsonPath(nested(60))).toBeUndefined();
    expect(firstNonJsonPath(nested(80))).toMatch(/^\$(\[0\]){65}$/);
  });

  it('passes what JSON carries, and a member that is undefined, which JSON leaves out', () => {
    const value = { a: [1, 0.1, 'x', null, true, {}], b: undefined, c: Number.MAX_SAFE_INTEGER };
    expect(firstNonJsonPath(value)).toBeUndefined();
    expect(firstNonJsonPath(Object.create(null))).toBeUndefined();
  });

  it('passes the same object twice side by side', () => {
    const shared = { a: 1 };
    expect(firstNonJsonPath([shared, shared])).toBeUndefined();
  });

  it('passes plain objects of another realm', () => {
    expect(firstNonJsonPath(runInNewContext('({ a: [1] })'))).toBeUndefined();
  });
});
