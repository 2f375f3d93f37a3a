import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject } from '../protocol/task.ts';

/** Tells two calls apart, whatever the order of their arguments' members. */
export function callDigest({ tool, args }: { readonly tool: string; readonly args: JsonObject }): string {
  return hash('sha256', canonicalize({ tool, args }) ?? '');
}
