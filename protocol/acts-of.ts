/** Which acts an event of a task's life is: told from what it changed, so that no tool has to think of it. */
import type { NewAct } from './act.ts';
import { shownText, type Approval, type Person, type Vote } from './approval.ts';
import { wordsOf } from './complaint.ts';
import type { TaskEvent, TaskSnapshot } from './task-state.ts';

export interface Told {
  readonly tool: string;
  /** Who called, as other people read it. */
  readonly requestedBy: string;
}

/** `event` has led from `before` to `after`, and has changed something. */
export function actsOf(before: TaskSnapshot, after: TaskSnapshot, event: TaskEvent, told: Told): readonly NewAct[] {
  const closed = approvalsClosed(before, after);
  switch (event.type) {
    case 'asked':
      return Object.entries(after.requests)
        .filter(([key]) => !Object.hasOwn(before.requests, key))
        .map(([key, request]) => ({ type: 'asked', about: key, data: { key, message: wordsOf(request) } }));
    case 'answered': {
      const keys = Object.keys(before.requests).filter((key) => !Object.hasOwn(after.requests, key));
      return [{ type: 'answered', about: keys.join(' '), by: told.requestedBy, data: { keys } }];
    }
    case 'approvalOpen':
      return approvalActs(before, after, event, told);
    case 'approvalDecided':
      return closed;
    case 'cancelRequested':
      return [{ type: 'cancel_requested', about: '', data: {} }, ...closed];
    case 'deadlinePassed':
      return [{ type: 'expired', about: '', data: { deadlineAt: iso(before.deadlineAt) } }, ...closed];
    case 'settling': {
      const { status, digest } = event;
      return [...closed, { type: 'ended', about: status, data: { status, digest } }];
    }
    case 'withdrawn':
    case 'reported':
    case 'extended':
    case 'ended':
      return [];
  }
}

function approvalActs(
  before: TaskSnapshot,
  { taskId }: TaskSnapshot,
  { approval, digest }: Extract<TaskEvent, { type: 'approvalOpen' }>,
  { tool, requestedBy }: Told,
): readonly NewAct[] {
  const { id, title, amount, roles, people, dueAt } = approval;
  const known = before.approvals?.find((each) => each.id === id);
  if (known === undefined) {
    const data = {
      approval: id,
      title,
      ...(amount === undefined ? {} : { amount }),
      roles,
      people: people.length,
      dueAt: iso(dueAt),
      // As it is signed: its digest is that of each vote.
      shown: shownText(taskId, tool, approval),
    };
    return [{ type: 'approval_requested', about: id, by: requestedBy, data }];
  }
  const added = roles.filter((role) => !known.roles.includes(role));
  return [
    ...approval.votes.slice(known.votes.length).map((vote) => voteAct(approval, vote, digest)),
    ...added.map((role): NewAct => ({ type: 'escalated', about: `${id} ${role}`, data: { approval: id, role } })),
  ];
}

function voteAct({ id }: Approval, { person, onBehalfOf, choice, option, reason }: Vote, digest?: string): NewAct {
  return {
    type: 'voted',
    about: `${id} ${person.subject}`,
    by: person.name,
    data: {
      approval: id,
      subject: person.subject,
      ...(onBehalfOf === undefined ? {} : { onBehalfOf: named(onBehalfOf) }),
      choice,
      ...(option === undefined ? {} : { option }),
      ...(reason === undefined ? {} : { reason }),
      ...(digest === undefined ? {} : { digest }),
    },
  };
}

function named({ name, subject }: Person): { readonly name: string; readonly subject: string } {
  return { name, subject };
}

function approvalsClosed(before: TaskSnapshot, after: TaskSnapshot): readonly NewAct[] {
  if (before.approvals === after.approvals) return [];
  const open = new Set(after.approvals?.map(({ id }) => id));
  return (before.approvals ?? [])
    .filter(({ id }) => !open.has(id))
    .map(({ id, title }) => {
      const decided = after.decided?.find((one) => one.id === id);
      const result = decided?.result ?? 'withdrawn';
      return { type: 'approval_decided', about: id, data: { approval: id, title, result, by: decided?.by ?? [] } };
    });
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
