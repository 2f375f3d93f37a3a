/** What a `subscriptions/listen` asks for. Spec: ext-tasks tasks.md, Task Status Notifications. */
import { z } from 'zod';
import { SUBSCRIPTIONS_LISTEN } from '../protocol/extension.ts';
import { ownMember } from '../protocol/own-member.ts';
import type { Declared } from './caller.ts';
import { declaredIn } from './declared.ts';
import { invalidParams, missingCapability } from './errors.ts';

export interface ListenFilter {
  /** Each once, in the order of the request; not checked in any way. */
  readonly taskIds: readonly string[];
  readonly declared: Declared;
}

/** Each id costs a look-up and, while its task runs, a call that Temporal holds. */
export const MAX_TASK_IDS = 1_000;

/** The other fields of the filter as the base protocol has them; none of these changes is ever announced here. */
const filterSchema = z.looseObject({
  taskIds: z.array(z.string()),
  toolsListChanged: z.boolean().optional(),
  promptsListChanged: z.boolean().optional(),
  resourcesListChanged: z.boolean().optional(),
  resourceSubscriptions: z.array(z.string()).optional(),
});

/** Whether a message asks for task notifications, well-formed or not. */
export function asksForTasks(method: string, params: unknown): boolean {
  return method === SUBSCRIPTIONS_LISTEN && ownMember(ownMember(params, 'notifications'), 'taskIds') !== undefined;
}

/** The capability gate comes before any look at the filter. @throws ProtocolError -32021, -32602 */
export function readListenFilter(params: unknown): ListenFilter {
  const declared = declaredIn(ownMember(params, '_meta'));
  if (!declared.tasks) throw missingCapability(`${SUBSCRIPTIONS_LISTEN} with taskIds`, ['tasks']);
  const notifications = ownMember(params, 'notifications');
  const asked = ownMember(notifications, 'taskIds');
  // Before the schema looks at each of them.
  if (Array.isArray(asked) && asked.length > MAX_TASK_IDS) {
    throw invalidParams(
      `params.notifications.taskIds may hold at most ${MAX_TASK_IDS} ids. Open several subscriptions.`,
    );
  }
  const parsed = filterSchema.safeParse(notifications);
  if (!parsed.success) throw invalidParams(faultText(parsed.error));
  return { taskIds: [...new Set(parsed.data.taskIds)], declared };
}

function faultText({ issues }: z.ZodError): string {
  const [field] = issues[0]?.path ?? [];
  const isList = field === 'taskIds' || field === 'resourceSubscriptions';
  return `params.notifications.${String(field)} must be ${isList ? 'an array of strings' : 'true or false'}.`;
}
