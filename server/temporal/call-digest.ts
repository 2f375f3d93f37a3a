import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { NewTask } from '../task-store.ts';

/** Tells a repeated call from another one under the same idempotency key. The order of members does not count. */
export function callDigest({ tool, args }: Pick<NewTask, 'tool' | 'args'>): string {
  return createHash('sha256')
    .update(canonicalize({ tool, args }) ?? '')
    .digest('hex');
}
