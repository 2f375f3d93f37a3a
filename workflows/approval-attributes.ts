/** Who is waited for, since when and until when, as columns of the Temporal UI's list. */
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import type { Approval } from '../protocol/approval.ts';
import type { TaskSnapshot } from '../protocol/task-state.ts';
import { isWaitedFor } from '../protocol/link-holder.ts';
import { approversAttribute, dueAtAttribute, waitingSinceAttribute } from './contract.ts';

/** Names of people do not leave the encrypted part of a run. */
const NAMED_PEOPLE = 'named people';
const LINK_HOLDER = 'holder of a link';

/** `undefined`: nothing to write. */
export function approvalAttributes(before: TaskSnapshot, after: TaskSnapshot): SearchAttributeUpdatePair[] | undefined {
  if (before.approvals === after.approvals) return undefined;
  const open = (after.approvals ?? []).filter(isWaitedFor);
  if (open.length === 0) {
    if (!(before.approvals ?? []).some(isWaitedFor)) return undefined;
    return [
      { key: approversAttribute, value: null },
      { key: waitingSinceAttribute, value: null },
      { key: dueAtAttribute, value: null },
    ];
  }
  return [
    { key: approversAttribute, value: [...new Set(open.flatMap(askedOf))] },
    { key: waitingSinceAttribute, value: new Date(Math.min(...open.map(({ openedAt }) => openedAt))) },
    { key: dueAtAttribute, value: new Date(Math.min(...open.map(({ dueAt }) => dueAt))) },
  ];
}

function askedOf({ roles, people, link }: Approval): readonly string[] {
  if (link !== undefined) return [LINK_HOLDER];
  return people.length > 0 ? [...roles, NAMED_PEOPLE] : roles;
}
