/**
 * What a message takes of its caller's share. Ending a task and answering one are never held up: both end work,
 * or let it go on. A subscription is counted when it opens; how long it stays, where its streams are.
 */
import { SUBSCRIPTIONS_LISTEN, TASKS_GET } from '../../protocol/extension.ts';
import { TASKS_LIST, TASKS_RESULT } from '../../protocol/legacy-tasks.ts';
import { ownMember } from '../../protocol/own-member.ts';
import { fallbackTools } from '../fallback-tools.ts';
import type { RpcMessage } from '../rpc-message.ts';
import { RESOURCES_PER_PAGE } from '../resources.ts';
import type { ToolContracts } from '../tool-contract.ts';

export type Use =
  /** `lookUps`: of how many tasks. */
  | { readonly kind: 'poll'; readonly lookUps: number }
  /** `mayStart`: a task of its own may come of it, unless the call goes on in another one. */
  | { readonly kind: 'call'; readonly mayStart: boolean };

export type LimitedMessage = Pick<RpcMessage, 'method' | 'params'>;

/** With how many tasks each looks up. */
const POLL_METHODS: ReadonlyMap<string, number> = new Map([
  [TASKS_GET, 1],
  [TASKS_RESULT, 1],
  [TASKS_LIST, 1],
  ['resources/read', 1],
  ['resources/list', RESOURCES_PER_PAGE],
]);

/** `undefined`: nothing that is counted here. */
export function useOf({ method, params }: LimitedMessage, contracts: ToolContracts): Use | undefined {
  const lookUps = POLL_METHODS.get(method);
  if (lookUps !== undefined) return { kind: 'poll', lookUps };
  if (method === SUBSCRIPTIONS_LISTEN) return { kind: 'poll', lookUps: listenedIds(params) };
  if (method !== 'tools/call') return undefined;
  const name = params?.['name'];
  const known = typeof name === 'string' ? name : '';
  const ofTasks = contracts.has(known) ? undefined : fallbackTools.get(known);
  if (ofTasks !== undefined) return ofTasks.onlyReads ? { kind: 'poll', lookUps: 1 } : undefined;
  const tool = contracts.get(known)?.tool;
  return { kind: 'call', mayStart: tool !== undefined && tool.task !== 'never' };
}

function listenedIds(params: RpcMessage['params']): number {
  const taskIds = ownMember(ownMember(params, 'notifications'), 'taskIds');
  return Array.isArray(taskIds) ? taskIds.length : 0;
}
