/**
 * Puts right what the store has missed: the queue of approvals is compared with the tasks themselves, so that losing it loses
 * nothing, and runs that were ended from outside are written into the audit, which they could not do. Every front does it, at
 * no fixed time; doing it twice changes nothing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresApprovalQueue } from '../../store/approval-queue.ts';
import type { AuditHead } from '../../store/audit-chain.ts';
import { inParallel } from '../in-parallel.ts';
import type { Log } from '../log.ts';
import type { ApprovalDesk } from './approval-desk.ts';
import type { AuditTrail } from './audit-trail.ts';
import type { EndedRun, TaskSurvey } from './task-survey.ts';

const EVERY_MS = 5 * 60_000;
/** Visibility lags, and so may the clock of this machine. */
const OVERLAP_MS = 10 * 60_000;
/** What was ended while no front ran is looked for this far back. */
const FIRST_LOOK_MS = 7 * 86_400_000;
/** A page of the queue that began at an approval which is over can go on for this long. */
const FORGET_AFTER_MS = 86_400_000;
const READS_AT_ONCE = 8;

export interface ReconcilerParts {
  readonly survey: TaskSurvey;
  readonly desk: Pick<ApprovalDesk, 'read'>;
  readonly queue: Pick<PostgresApprovalQueue, 'put' | 'remove' | 'places' | 'forget'>;
  readonly audit: AuditTrail;
  /** Of these tasks the ones that have told their end themselves. */
  readonly tasksEnded: (taskIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

export interface Rebuilt {
  readonly open: number;
  readonly added: number;
  /** They said something else than the task does. */
  readonly changed: number;
  readonly removed: number;
}

/** As `reconcile` does, and every row is written as its task has it. @throws StoreDown, StoreUnavailable */
export async function rebuildQueue(parts: Pick<ReconcilerParts, 'survey' | 'desk' | 'queue'>): Promise<Rebuilt> {
  return reconcileQueue(parts, 'all');
}

/** @throws StoreDown, StoreUnavailable; what was done until then stays done */
export async function reconcile(parts: ReconcilerParts, endedSince: Date): Promise<{ added: number; removed: number }> {
  const { added, removed } = await reconcileQueue(parts, 'missing');
  await tellEnds(parts, endedSince);
  return { added, removed };
}

async function reconcileQueue(
  { survey, desk, queue }: Pick<ReconcilerParts, 'survey' | 'desk' | 'queue'>,
  writes: 'missing' | 'all',
): Promise<Rebuilt> {
  const queued = await queue.places();
  const known = new Set(queued.map(({ approvalId }) => approvalId));
  // Also those that visibility does not show: it may not know of them yet.
  const workflowIds = new Set(queued.map(({ workflowId }) => workflowId));
  for await (const workflowId of survey.waiting()) workflowIds.add(workflowId);
  const open = new Set<string>();
  let [added, changed] = [0, 0];
  await inParallel([...workflowIds], READS_AT_ONCE, async (workflowId) => {
    const found = await desk.read(workflowId);
    for (const approval of found?.open ?? []) {
      open.add(approval.id);
      if (found === undefined || (writes === 'missing' && known.has(approval.id))) continue;
      const isOther = await queue.put(found, approval);
      if (!known.has(approval.id)) added += 1;
      else if (isOther) changed += 1;
    }
  });
  const stale = queued.filter(({ approvalId }) => !open.has(approvalId));
  for (const { approvalId } of stale) await queue.remove(approvalId);
  await queue.forget(new Date(Date.now() - FORGET_AFTER_MS));
  return { open: open.size, added, changed, removed: stale.length };
}

async function tellEnds({ survey, audit, tasksEnded }: ReconcilerParts, since: Date): Promise<void> {
  const runs: EndedRun[] = [];
  for await (const run of survey.endedFromOutside(since)) runs.push(run);
  const told = await tasksEnded(runs.map(({ taskId }) => taskId));
  for (const { taskId, runId, how, at, by, reason } of runs) {
    if (how !== 'reset' && told.has(taskId)) continue;
    await audit.append({
      taskId,
      type: how === 'reset' ? 'reset' : 'terminated',
      about: runId,
      ...(by === undefined ? {} : { by }),
      at: at.getTime(),
      data: { runId, how, ...(reason === undefined ? {} : { reason }) },
    });
  }
}

export interface Reconciling extends ReconcilerParts {
  /** Signs the last row of the audit, when that is due. */
  readonly signHead: () => Promise<AuditHead | undefined>;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** On average. Default: five minutes. */
  readonly everyMs?: number;
}

/** Runs until `signal` aborts, and keeps no process alive. */
export async function keepReconciling({
  signHead,
  log,
  signal,
  everyMs = EVERY_MS,
  ...parts
}: Reconciling): Promise<void> {
  let endedSince = new Date(Date.now() - FIRST_LOOK_MS);
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    const startedAt = Date.now();
    try {
      const { added, removed } = await reconcile(parts, endedSince);
      endedSince = new Date(startedAt - OVERLAP_MS);
      if (added + removed > 0) log.info({ added, removed }, 'put the queue of approvals right');
      const head = await signHead();
      // Whoever keeps the log has a copy of it outside the database.
      if (head !== undefined) log.info({ row: String(head.id), hash: head.hash }, 'signed the head of the audit');
    } catch (error) {
      if (!isOver()) log.warn({ err: error }, 'the queue of approvals was not checked; the next pass tries again');
    }
    const jitteredMs = everyMs * (0.5 + Math.random());
    await delay(jitteredMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
