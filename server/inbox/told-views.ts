/** What the audit is told of who looks: the first look of each person at each content, and each claim. */
import { randomUUID } from 'node:crypto';
import type { OutsideAct } from '../../protocol/act.ts';
import type { OpenLook } from './approval-look.ts';
import type { Visitor } from './visitor.ts';

/** A program that reads for a person is told apart from the person: what it was given, nobody need have seen. */
export function viewedAct(
  { person }: Visitor,
  { found, approval, standIn }: OpenLook,
  digest: string,
  where: 'inbox' | 'mcp' = 'inbox',
): OutsideAct {
  const { id, title } = approval;
  const isProgram = where === 'mcp';
  return {
    taskId: found.taskId,
    type: 'viewed',
    about: JSON.stringify([id, digest, person.principals[0], ...(isProgram ? [where] : [])]),
    by: person.name,
    at: Date.now(),
    data: {
      approval: id,
      title,
      digest,
      principal: person.principals[0] ?? '',
      ...(standIn === undefined ? {} : { onBehalfOf: standIn.person.name }),
      ...(isProgram ? { in: where } : {}),
    },
  };
}

/** Each time: who has said that they look at it, or no longer do. */
export function claimAct(
  type: 'claimed' | 'released',
  { person }: Visitor,
  { found, approval: { id, title } }: OpenLook,
): OutsideAct {
  return {
    taskId: found.taskId,
    type,
    about: `${id} ${randomUUID()}`,
    by: person.name,
    at: Date.now(),
    data: { approval: id, title, principal: person.principals[0] ?? '' },
  };
}
