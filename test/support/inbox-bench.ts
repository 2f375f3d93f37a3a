/** The inbox of a front on the run's Temporal, whose queue is a double. */
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { openGate } from '../../server/auth/gate.ts';
import type { ApprovalCase } from '../../server/approvals/approval-desk.ts';
import { createFront } from '../../server/front.ts';
import type { Approver } from '../../server/inbox/approvers.ts';
import { createInbox } from '../../server/inbox/inbox.ts';
import { createLinks, type Links } from '../../server/inbox/links.ts';
import { localSignIn } from '../../server/inbox/local-sign-in.ts';
import type { InboxParts } from '../../server/inbox/parts.ts';
import { createLog } from '../../server/log.ts';
import { callerOf } from '../../server/principal.ts';
import { TemporalApprovalDesk } from '../../server/temporal/temporal-approval-desk.ts';
import type { OutsideAct } from '../../protocol/act.ts';
import type { JsonObject } from '../../protocol/task.ts';
import type { Caller } from '../../server/caller.ts';
import { waitForApproval } from './approver.ts';
import { signed } from './decisions.ts';
import { InMemoryApprovalQueue } from './in-memory-approval-queue.ts';
import { InboxVisitor } from './inbox-visitor.ts';
import { atScopeEnd } from './scope.ts';
import { openTaskBench, type StoreChoices, type TaskBench } from './task-bench.ts';
import { createTestServing } from './test-front.ts';

export interface InboxBench {
  readonly bench: TaskBench;
  readonly queue: InMemoryApprovalQueue;
  readonly desk: TemporalApprovalDesk;
  readonly origin: string;
  /** As the front makes them. */
  readonly links: Links;
  /** What the audit was told, each time that it was. */
  readonly acts: readonly OutsideAct[];
  /** As the file would have them at this moment. */
  approvers: readonly Approver[];
  /** Whoever signs in locally under this name. */
  callerNamed(subject: string, issuer?: string): Caller;
  /** Has signed in. */
  visitor(subject: string): Promise<InboxVisitor>;
  /** Stops the front. */
  drain(): Promise<void>;
  /** An approval that is open and queued, asked for by `requester`. */
  open(args?: JsonObject, requester?: string | Caller): Promise<{ id: string; taskId: string; found: ApprovalCase }>;
}

const APPROVERS: readonly Approver[] = [
  { subject: 'finance-1', name: 'Finance 1', roles: ['finance'] },
  { subject: 'finance-2', name: 'Finance 2', roles: ['finance'] },
  { subject: 'purchasing-1', name: 'Purchasing 1', roles: ['purchasing'] },
  { subject: 'clerk-1', name: 'Clerk 1', roles: ['pages'] },
];

/** A worker of the inbox's tools runs, unless a test stops it by itself. */
export async function openInboxBench(
  more: Partial<InboxParts> = {},
  port = 0,
  activities: object = {},
  choices: StoreChoices = {},
): Promise<InboxBench> {
  const bench = await openTaskBench(
    fileURLToPath(new URL('../integration/inbox/inbox-workflows.ts', import.meta.url)),
    activities,
    undefined,
    choices,
  );
  const queue = new InMemoryApprovalQueue();
  const desk = new TemporalApprovalDesk(bench.service);
  const ring = [randomBytes(32)] as const;
  const callerNamed = (subject: string, issuer = 'local'): Caller =>
    callerOf(ring, { issuer, subject }, { scopes: 'all' });
  const links = createLinks(ring, () => opened.origin);
  const acts: OutsideAct[] = [];
  const { parts } = createTestServing({ port });
  const inbox = createInbox({
    principalRing: ring,
    approvers: async () => opened.approvers,
    desk,
    queue,
    audit: {
      append: async (act) => {
        acts.push(act);
      },
    },
    tasks: bench.store,
    blobs: bench.blobs,
    links,
    mailsLinks: false,
    sign: signed,
    signIn: localSignIn,
    issuer: 'local',
    isSecure: false,
    log: createLog('silent'),
    ...more,
  });
  const front = createFront({ ...parts, gate: openGate(bench.caller), inbox });
  const { origin } = new URL(await front.listen());
  atScopeEnd(() => front.drain());
  const opened: InboxBench = {
    bench,
    queue,
    desk,
    origin,
    links,
    acts,
    approvers: APPROVERS,
    callerNamed,
    drain: () => front.drain(),
    async visitor(subject) {
      const visitor = new InboxVisitor(origin);
      await visitor.signInAs(subject);
      return visitor;
    },
    async open(args = {}, requester: string | Caller = 'purchasing-1') {
      const caller = typeof requester === 'string' ? callerNamed(requester) : requester;
      const { task } = await bench.store.create(caller, {
        tool: 'decide',
        args,
        features: { elicitationForm: true },
        ttlMs: 60_000,
        maxTtlMs: 2 * 86_400_000,
        pollIntervalMs: 1_000,
      });
      const found = await waitForApproval(desk, `mcp-task/${caller.principal}/${task.taskId}`);
      queue.add(found);
      return { id: found.open[0]?.id ?? '', taskId: task.taskId, found };
    },
  };
  return opened;
}
