/** The folders that the caller's host lets a server know of. Spec: roots. */
import { isJsonObject, ownMember } from './own-member.ts';
import type { JsonObject, RootsRequest } from './task.ts';

export interface RootsReply {
  readonly roots: readonly { readonly uri: string; readonly name?: string }[];
}

export function rootsList(): RootsRequest {
  return { method: 'roots/list', params: {} };
}

/** What is wrong with a response to `roots/list`; nothing when it can be used. */
export function rootsFault(response: JsonObject): string | undefined {
  const roots = ownMember(response, 'roots');
  if (!Array.isArray(roots)) return 'roots must be a list';
  return roots.every(isRoot)
    ? undefined
    : 'each root needs a uri that starts with file://, and its name must be a string';
}

function isRoot(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const uri = ownMember(value, 'uri');
  const name = ownMember(value, 'name');
  return typeof uri === 'string' && uri.startsWith('file://') && (name === undefined || typeof name === 'string');
}

/** The members that the specification knows. */
export function toRootsReply(response: JsonObject): RootsReply {
  const { roots } = response as unknown as RootsReply;
  return { roots: roots.map(({ uri, name }) => ({ uri, ...(name === undefined ? {} : { name }) })) };
}
