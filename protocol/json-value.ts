/** Which member of a value JSON would lose or change, if any. */

/**
 * The path of the first member that JSON cannot carry as it is (NaN, Infinity, BigInt, Date, Map, Buffer, undefined in a
 * list, an integer above 2^53, a cycle), or `undefined` when the value survives a round trip. Spec: RFC 8259, section 6.
 */
export function firstNonJsonPath(value: unknown, path = '$', parents: readonly unknown[] = []): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return isJsonNumber(value) ? undefined : path;
  if (typeof value !== 'object' || parents.includes(value) || parents.length > 64) return path;
  const inside = [...parents, value];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = firstNonJsonPath(item, `${path}[${String(index)}]`, inside);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  // A workflow runs in a realm of its own, where `Object.prototype` is another object: compare by name.
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null;
  if (prototype !== null && prototype.constructor?.name !== 'Object') return path;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const found = firstNonJsonPath(member, `${path}.${name}`, inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isJsonNumber(value: number): boolean {
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  return !Number.isInteger(value) || Number.isSafeInteger(value);
}
