/** Which notices an act gives rise to. */
import type { Act, AuditedTask } from './act.ts';
import type { Approval } from './approval.ts';
import { isWaitedFor } from './link-holder.ts';
import type { NoticeDetails, NoticeKind } from './notice.ts';

export interface NewNotice {
  readonly kind: NoticeKind;
  readonly details: NoticeDetails;
  /** Not before, in epoch ms; by then it may be over. */
  readonly dueAt: number;
}

/** A caller who is there answers sooner. */
const QUESTION_WAITS_MS = 5 * 60_000;
/** Of the time of an approval or a task, as far as that is not more than an hour. After the reminders that a tool has by default. */
const LAST_PART = 0.05;
const LAST_PART_AT_MOST_MS = 3_600_000;

/** `open`: the approvals that wait now. One that no longer does is told of by its end alone. */
export function noticesOf(act: Act, { tool }: AuditedTask, open: readonly Approval[]): readonly NewNotice[] {
  const approvalId = typeof act.data['approval'] === 'string' ? act.data['approval'] : undefined;
  const approval = open.find(({ id }) => id === approvalId);
  const now = (kind: NoticeKind, details: NoticeDetails): NewNotice => ({ kind, details, dueAt: act.at });
  switch (act.type) {
    case 'approval_requested': {
      if (approval === undefined) return [];
      const details = detailsOf(tool, approval);
      const needed = now('approval.needed', details);
      if (!isWaitedFor(approval)) return [needed];
      return [needed, { kind: 'approval.expiring', details, dueAt: lastPartOf(approval) }];
    }
    case 'reminded':
      return approval === undefined ? [] : [now('approval.reminder', detailsOf(tool, approval))];
    case 'escalated': {
      const role = act.data['role'];
      if (approval === undefined || typeof role !== 'string') return [];
      return [now('approval.escalated', { ...detailsOf(tool, approval), role })];
    }
    case 'approval_decided': {
      const { title, result } = act.data;
      if (approvalId === undefined || result === 'withdrawn') return [];
      return [now('approval.decided', { tool, approvalId, ...(typeof title === 'string' ? { title } : {}) })];
    }
    case 'asked':
      return [{ kind: 'question.open', details: { tool, questionKey: act.about }, dueAt: act.at + QUESTION_WAITS_MS }];
    case 'ended':
      return [now('task.finished', { tool })];
    case 'created': {
      const { deadlineAt } = act.data;
      // Tasks of before have not said when they expire.
      if (typeof deadlineAt !== 'string') return [];
      const dueAt = lastPartOf({ openedAt: act.at, dueAt: Date.parse(deadlineAt) });
      return [{ kind: 'task.expiring', details: { tool }, dueAt }];
    }
    case 'answered':
    case 'voted':
    case 'cancel_requested':
    case 'expired':
    case 'effect':
    case 'file_taken':
      return [];
  }
}

function detailsOf(tool: string, approval: Approval): NoticeDetails {
  const { id, title, amount, dueAt, link } = approval;
  return {
    tool,
    title,
    ...(amount === undefined ? {} : { amount }),
    ...(isWaitedFor(approval) ? { due: new Date(dueAt).toISOString() } : {}),
    approvalId: id,
    ...(link === undefined ? {} : { byLink: true }),
  };
}

/** Epoch ms. */
export function lastPartOf({ openedAt, dueAt }: Pick<Approval, 'openedAt' | 'dueAt'>): number {
  return dueAt - Math.min((dueAt - openedAt) * LAST_PART, LAST_PART_AT_MOST_MS);
}
