/** Who gets mail of an approval: those of the file whom it asks, and whoever stands in for them. */
import type { Delegation } from '../../protocol/delegation.ts';
import type { AskedNow } from '../../store/notice-outbox.ts';
import type { ReadableApprovals } from '../approvals/approval-source.ts';
import type { Approver } from '../inbox/approvers.ts';

/** Subjects of people with an address. Who has voted, or was voted for, is left in peace, and so is who stands in for them. */
export async function addresseesAmong(
  known: readonly Approver[],
  asked: AskedNow,
  signedOver: ReadableApprovals['signedOver'],
): Promise<readonly string[]> {
  const { organisation, voted } = asked;
  // Another organisation has other people of the same names.
  const own = known.filter((person) => person.organisation === organisation);
  const open = own.filter((person) => isAsked(person, asked) && !voted.includes(person.subject));
  const tenant = organisation === undefined ? {} : { tenant: organisation };
  const standIns = await Promise.all(
    open.map(async (person) => {
      const given = (await signedOver?.({ subject: person.subject, ...tenant })) ?? [];
      return given.filter((delegation) => covers(delegation, person, asked)).map(({ to }) => to);
    }),
  );
  const subjects = new Set([...open.map(({ subject }) => subject), ...standIns.flat()]);
  return own
    .filter(({ subject, mail }) => mail !== undefined && subjects.has(subject) && !voted.includes(subject))
    .map(({ subject }) => subject);
}

function isAsked({ subject, roles }: Approver, asked: AskedNow): boolean {
  return asked.people.includes(subject) || roles.some((held) => asked.roles.includes(held));
}

function covers({ role }: Delegation, { roles }: Approver, asked: AskedNow): boolean {
  return role === undefined || (roles.includes(role) && asked.roles.includes(role));
}
