import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject } from '../protocol/task.ts';

/** Tells two calls apart, whatever the order of their arguments' members. */
export function callDigest({ tool, args }: { readonly tool: string; readonly args: JsonObject }): string {
  return createHash('sha256')
    .update(canonicalize({ tool, args }) ?? '')
    .digest('hex');
}
