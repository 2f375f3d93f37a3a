/**
 * Is a principal key the one that the tasks of a namespace were made under? The namespace keeps the ids of the keys in use,
 * newest first: a hash of each, from which no key and no caller can be found.
 */
import { createHmac } from 'node:crypto';
import type { PrincipalRing } from './principal.ts';

/** Where the ids stand among the data of the namespace, with commas between them. */
export const PRINCIPAL_CHECK_NAME = 'mcpPrincipalKeyCheck';

export interface RingCheck {
  /** `false`: the tasks that are there were made under other keys, and nobody would find them under these. */
  readonly isKnown: boolean;
  /** What the namespace is to keep from now on; absent when it does. */
  readonly record?: string;
}

/** 16 hex digits that tell one principal key from another. */
export function keyIdOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('id of a principal key').digest('hex').slice(0, 16);
}

/** The newest first. */
export function keyIdsOf(ring: PrincipalRing): readonly string[] {
  return ring.filter((key) => key !== undefined).map(keyIdOf);
}

/**
 * A ring is known when it begins with a recorded key, or carries on from the newest one that is recorded. While keys are
 * replaced fronts with different rings start in any order: one that lags behind does not take back what another recorded.
 * `recorded`: as the namespace keeps it; `undefined` before the first front.
 */
export function checkRing(ring: PrincipalRing, recorded: string | undefined): RingCheck {
  const ids = keyIdsOf(ring);
  const record = ids.join(',');
  if (recorded === undefined || recorded === '') return { isKnown: true, record };
  if (recorded === record) return { isKnown: true };
  const [newest = '', former] = recorded.split(',');
  if (ids.includes(newest)) return { isKnown: true, record };
  return { isKnown: former !== undefined && ids[0] === former };
}
