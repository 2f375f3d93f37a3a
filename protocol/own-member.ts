/** Looks into JSON that somebody else wrote. */
import type { JsonObject } from './task.ts';

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member of an object: `__proto__` and what is inherited do not count, and nothing else has members. */
export function ownMember(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
