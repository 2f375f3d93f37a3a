/** What the audit is told of those who stand in for others: by whom, for whom, and how long. */
import type { OutsideAct } from '../../protocol/act.ts';
import type { NewDelegation } from '../../protocol/delegation.ts';
import type { Approver } from './approvers.ts';
import { nameOf } from './queue-page.ts';

/** Each once in the life of a delegation. */
export function delegationAct(
  type: 'delegated' | 'delegation_revoked',
  { id, from, to, role, fromAt, untilAt }: NewDelegation,
  {
    principal,
    approvers,
    at,
  }: { readonly principal: string; readonly approvers: readonly Approver[]; readonly at: number },
): OutsideAct {
  return {
    taskId: `delegation:${id}`,
    type,
    about: id,
    by: from.name,
    at,
    data: {
      from: { subject: from.subject, name: from.name, principal },
      to: { subject: to, name: nameOf(to, approvers) },
      ...(role === undefined ? {} : { role }),
      fromAt: new Date(fromAt).toISOString(),
      untilAt: new Date(untilAt).toISOString(),
    },
  };
}
