/** Values that JSON loses, changes or cannot write. Runs in the workflow sandbox too. */
const MAKERS: Readonly<Record<string, () => unknown>> = {
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '-0': () => -0,
  BigInt: () => 1915883588174806058n,
  'a large id': () => Number('1915883588174806058'),
  'an invalid Date': () => new Date(Number.NaN),
  'a Map': () => new Map([['a', 1]]),
  bytes: () => new Uint8Array([1, 2]),
  'undefined in a list': () => [undefined],
};

export const ODD_KINDS = Object.keys(MAKERS);

export function oddValue(kind: string): unknown {
  return MAKERS[kind]?.();
}
