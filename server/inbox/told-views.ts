/** What the audit is told of who looks: the first look of each person at each content. */
import type { OutsideAct } from '../../protocol/act.ts';
import type { DetailedTask } from '../../protocol/task.ts';
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

/** `undefined`: there is no result to read. */
export function resultReadAct({ person }: Visitor, { taskId, status }: DetailedTask): OutsideAct | undefined {
  if (status !== 'completed') return undefined;
  const principal = person.principals[0] ?? '';
  return {
    taskId,
    type: 'result_read',
    about: principal,
    by: person.name,
    at: Date.now(),
    data: { principal, in: 'inbox' },
  };
}
