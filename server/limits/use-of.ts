/**
 * What a message takes of its caller's share. Ending a task and answering one are never held up: both end work,
 * or let it go on. `subscriptions/listen` is counted where its streams are.
 */
import { TASKS_GET } from '../../protocol/extension.ts';
import { TASKS_LIST, TASKS_RESULT } from '../../protocol/legacy-tasks.ts';
import { fallbackTools } from '../fallback-tools.ts';
import type { RpcMessage } from '../rpc-message.ts';
import type { ToolContracts } from '../tool-contract.ts';

export type Use =
  | { readonly kind: 'poll' }
  /** `mayStart`: a task of its own may come of it, unless the call goes on in another one. */
  | { readonly kind: 'call'; readonly mayStart: boolean };

export type LimitedMessage = Pick<RpcMessage, 'method' | 'params'>;

const POLL_METHODS: ReadonlySet<string> = new Set([TASKS_GET, TASKS_RESULT, TASKS_LIST]);

/** `undefined`: nothing that is counted here. */
export function useOf({ method, params }: LimitedMessage, contracts: ToolContracts): Use | undefined {
  if (POLL_METHODS.has(method)) return { kind: 'poll' };
  if (method !== 'tools/call') return undefined;
  const name = params?.['name'];
  const known = typeof name === 'string' ? name : '';
  const ofTasks = contracts.has(known) ? undefined : fallbackTools.get(known);
  if (ofTasks !== undefined) return ofTasks.onlyReads ? { kind: 'poll' } : undefined;
  const tool = contracts.get(known)?.tool;
  return { kind: 'call', mayStart: tool !== undefined && tool.task !== 'never' };
}
