import type { Caller } from '../../server/caller.ts';

/** Somebody who may do everything, by the principal that ids are made of. */
export function testCaller(principal: string): Caller {
  return { principal, tenant: principal, scopes: 'all' };
}
