/** A front whose caller may be asked to decide: who they are, and what one task waits for, on doubles of the queue and of the tasks. */
import { TASKS_EXTENSION } from '../../protocol/extension.ts';
import type { OutsideAct } from '../../protocol/act.ts';
import type { Approval } from '../../protocol/approval.ts';
import { openGate } from '../../server/auth/gate.ts';
import type { ApprovalCase } from '../../server/approvals/approval-desk.ts';
import type { ReadableApprovals } from '../../server/approvals/approval-source.ts';
import type { Caller } from '../../server/caller.ts';
import { createFront } from '../../server/front.ts';
import { InMemoryApprovalQueue } from './in-memory-approval-queue.ts';
import { post, type McpAnswer } from './mcp-request.ts';
import { atScopeEnd } from './scope.ts';
import { testCaller } from './test-caller.ts';
import { createTestServing } from './test-front.ts';

export const WITH_TASKS = { extensions: { [TASKS_EXTENSION]: {} } };
export const TASK_ID = 'A'.repeat(22);
export const finance1: Caller = {
  ...testCaller('p-finance-1'),
  displayName: 'Finance 1',
  approver: named('finance-1'),
};
export const purchasing: Caller = { ...testCaller('p-purchasing'), approver: named('purchasing-1') };

export function named(subject: string, ...roles: string[]): { subject: string; roles: readonly string[] } {
  return { subject, roles };
}

export function approval(id: string, more: Partial<Approval> = {}): Approval {
  return {
    id,
    title: `Order ${id}`,
    amount: '759.60 EUR',
    details: { Vendor: 'Nordlicht', Total: '759.60 EUR' },
    reason: 'Above 500 EUR somebody in finance decides.',
    quorum: 2,
    rejectOptions: [],
    canRequestChanges: false,
    documents: [`task://${TASK_ID}/offer%20a.pdf`, 'task://another/secret.pdf'],
    requestedBy: 'Ada',
    roles: ['finance'],
    people: [],
    openedAt: Date.UTC(2026, 0, 1),
    dueAt: Date.UTC(2026, 0, 2),
    votes: [],
    ...more,
  };
}

export interface World {
  readonly queue: InMemoryApprovalQueue;
  readonly acts: OutsideAct[];
  readonly list: (capabilities?: unknown) => Promise<readonly string[]>;
  readonly call: (name: string, args?: object, capabilities?: unknown) => Promise<McpAnswer>;
}

/** A front whose one caller is `caller`, and one task that waits for `open`. */
export async function worldOf(
  caller: Caller,
  open: readonly Approval[] = [],
  more: Partial<ReadableApprovals> = {},
): Promise<World> {
  const queue = new InMemoryApprovalQueue();
  const found: ApprovalCase = {
    workflowId: `mcp-task/p-ada/${TASK_ID}`,
    taskId: TASK_ID,
    tool: 'order',
    requester: 'p-ada',
    open,
    decided: [{ id: 'over', title: 'Order over', result: 'approved', at: Date.UTC(2026, 0, 1), by: ['Finance 2'] }],
    isOver: false,
    deadlineAt: Date.UTC(2026, 0, 3),
  };
  queue.add(found);
  queue.add({ ...found, open: [approval('over')] });
  const acts: OutsideAct[] = [];
  const approvals: ReadableApprovals = {
    desk: {
      read: async () => found,
      readOwn: async () => found,
      decide: async () => Promise.reject(new Error('no tool decides')),
      verdictOf: async () => Promise.reject(new Error('no tool decides')),
    },
    queue,
    audit: { append: async (act) => void acts.push(act) },
    approvers: async () => [
      { subject: 'finance-1', name: 'Finance 1', roles: ['finance'] },
      { subject: 'purchasing-1', name: 'Purchasing 1', roles: ['purchasing'] },
    ],
    inboxUrl: () => new URL('https://mcp.example.com/inbox'),
    ...more,
  };
  const front = createFront({ ...createTestServing().parts, gate: openGate(caller), approvals });
  const url = await front.listen();
  atScopeEnd(() => front.drain());
  return {
    queue,
    acts,
    async list(capabilities = WITH_TASKS) {
      const { body } = await post(url, { method: 'tools/list', capabilities });
      return body.result.tools.map(({ name }) => name);
    },
    call: (name, args = {}, capabilities = WITH_TASKS) =>
      post(url, { method: 'tools/call', params: { name, arguments: args }, capabilities }),
  };
}

export function told({ body }: McpAnswer): [boolean, string] {
  return [body.result.isError ?? false, body.result.content[0].text];
}
