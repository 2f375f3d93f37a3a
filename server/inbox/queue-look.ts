/** A page of what waits for somebody: found by the projection, believed only as Temporal has it. */
import type { Approval } from '../../protocol/approval.ts';
import type { ApprovalDesk } from '../approvals/approval-desk.ts';
import type { Asked, QueuedApproval } from '../../protocol/approval-queue.ts';
import { inParallel } from '../in-parallel.ts';
import type { PageParts } from './parts.ts';
import type { StandIn } from './stand-in.ts';
import { standingOf } from './standing.ts';
import type { Visitor } from './visitor.ts';

export interface QueueRow {
  readonly approval: Approval;
  /** Who has said that they look at it. */
  readonly claimedBy: string | undefined;
  /** In whose name the visitor would decide; absent: in their own. */
  readonly standIn?: StandIn | undefined;
}

export interface QueueView {
  readonly rows: readonly QueueRow[];
  /** From where the next page goes on; absent on the last one. */
  readonly next?: string;
}

export interface QueueQuestion {
  /** One of the visitor's roles; absent: all of them, what asks the visitor by name, and what waits for whom they stand in. */
  readonly role?: string | undefined;
  /** `next` of the page before. */
  readonly after?: string | undefined;
  /** Rows of a page. Default `PAGE_ROWS`. */
  readonly limit?: number;
}

export const PAGE_ROWS = 25;
const READS_AT_ONCE = 8;
/** Of rows that turn out to be nothing for the visitor; the next page goes on behind them. */
const MAX_ROUNDS = 10;

type LookParts = Pick<PageParts, 'queue' | 'desk'>;

/** @throws StoreDown, StoreUnavailable */
export async function lookAtQueue(parts: LookParts, visitor: Visitor, question: QueueQuestion): Promise<QueueView> {
  const asked = askedOf(visitor, question.role);
  const rows: QueueRow[] = [];
  const stale: string[] = [];
  const { limit = PAGE_ROWS } = question;
  let { after } = question;
  for (let round = 0; round < MAX_ROUNDS && rows.length <= limit; round += 1) {
    const found = await parts.queue.list(asked, { limit: limit + 1, after });
    const page = await checked(parts.desk, visitor, found);
    rows.push(...page.rows);
    stale.push(...page.stale);
    after = found.length <= limit ? undefined : found.at(-1)?.approvalId;
    if (after === undefined) break;
  }
  // Not before the end: the list goes on behind its last row, stale or not.
  await inParallel(stale, READS_AT_ONCE, (id) => parts.queue.remove(id));
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? shown.at(-1)?.approval.id : after;
  return { rows: shown, ...(next === undefined ? {} : { next }) };
}

/** At least what may wait for them; each row is looked at by itself. */
function askedOf({ person, roles, standsFor }: Visitor, role: string | undefined): Asked {
  const { organisation } = person;
  if (role !== undefined) return { organisation, subjects: [], roles: roles.filter((held) => held === role) };
  return {
    organisation,
    subjects: [person, ...standsFor.map((one) => one.person)].map(({ subject }) => subject),
    roles: [...new Set([...roles, ...standsFor.flatMap((one) => one.roles)])],
  };
}

async function checked(
  desk: ApprovalDesk,
  visitor: Visitor,
  found: readonly QueuedApproval[],
): Promise<{ readonly rows: readonly QueueRow[]; readonly stale: readonly string[] }> {
  const ids = [...new Set(found.map(({ workflowId }) => workflowId))];
  const cases = new Map(await inParallel(ids, READS_AT_ONCE, async (id) => [id, await desk.read(id)] as const));
  const stale: string[] = [];
  const rows = found.flatMap(({ workflowId, approvalId, claimedBy }) => {
    const one = cases.get(workflowId);
    const approval = one?.open.find(({ id }) => id === approvalId);
    if (one === undefined || approval === undefined) {
      stale.push(approvalId);
      return [];
    }
    // Neither what they ask for themselves nor what they have had their say on.
    const standing = standingOf(visitor, approval, one.requester);
    return standing?.mayDecide === 'yes' ? [{ approval, claimedBy, standIn: standing.standIn }] : [];
  });
  return { rows, stale };
}
