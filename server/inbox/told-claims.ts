import { randomUUID } from 'node:crypto';
import type { OutsideAct } from '../../protocol/act.ts';
import type { OpenLook } from './approval-look.ts';
import type { Visitor } from './visitor.ts';

/** Each time that somebody does it. */
export function claimAct(type: 'claimed' | 'released', { person }: Visitor, { found, approval }: OpenLook): OutsideAct {
  const { id, title } = approval;
  return {
    taskId: found.taskId,
    type,
    about: JSON.stringify([id, randomUUID()]),
    by: person.name,
    at: Date.now(),
    data: { approval: id, title, principal: person.principals[0] ?? '' },
  };
}
