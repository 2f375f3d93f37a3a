/**
 * What a caller must have been granted for an operation. The scopes stand side by side: none of them includes another.
 * Whoever is let in may see what there is (`tools/list`); the tasks and what they do are behind a scope.
 *
 * Spec: authorization, Scope Challenge Handling.
 */
import { SUBSCRIPTIONS_LISTEN, TASKS_CANCEL, TASKS_GET, TASKS_UPDATE } from '../../protocol/extension.ts';
import { TASKS_LIST, TASKS_RESULT } from '../../protocol/legacy-tasks.ts';

export const READ_SCOPE = 'tasks:read';
export const WRITE_SCOPE = 'tasks:write';
/** What a client needs that calls tools and follows their tasks. Single tools may want more. */
export const BASE_SCOPES: readonly string[] = [READ_SCOPE, WRITE_SCOPE];

const BY_METHOD: ReadonlyMap<string, string> = new Map([
  [TASKS_GET, READ_SCOPE],
  [TASKS_RESULT, READ_SCOPE],
  [TASKS_LIST, READ_SCOPE],
  [SUBSCRIPTIONS_LISTEN, READ_SCOPE],
  ['resources/list', READ_SCOPE],
  ['resources/templates/list', READ_SCOPE],
  ['resources/read', READ_SCOPE],
  ['tools/call', WRITE_SCOPE],
  [TASKS_UPDATE, WRITE_SCOPE],
  [TASKS_CANCEL, WRITE_SCOPE],
]);

export interface ScopedTool {
  /** Beside the one for calling a tool at all. */
  readonly scopes?: readonly string[];
  /** It starts and changes nothing: a tool that shows the caller's own tasks. */
  readonly onlyReads?: boolean;
}

/** All of them, each once. `tool` is the one that `tools/call` names, when there is such a tool. */
export function requiredScopes(method: string, tool: ScopedTool = {}): readonly string[] {
  const own = BY_METHOD.get(method);
  if (method !== 'tools/call') return own === undefined ? [] : [own];
  return [...new Set([tool.onlyReads === true ? READ_SCOPE : WRITE_SCOPE, ...(tool.scopes ?? [])])];
}

export function missingScopes(required: readonly string[], granted: ReadonlySet<string> | 'all'): readonly string[] {
  return granted === 'all' ? [] : required.filter((scope) => !granted.has(scope));
}
