import type { Kysely } from 'kysely';
import type { OutsideActType, TaskActType } from '../protocol/act.ts';
import type { AuditRow } from './audit-chain.ts';
import type { Tables } from './tables.ts';

const TYPES: readonly (TaskActType | OutsideActType)[] = [
  'approval_requested',
  'voted',
  'reminded',
  'escalated',
  'approval_decided',
  'claimed',
  'released',
];
/** A task has no limit to them, and a page has. */
const MAX_ACTS = 300;

/** What is about the approvals of a task: the last of it, in the order in which it happened. @throws StoreDown */
export async function approvalActsOf(
  db: Kysely<Tables>,
  taskId: string,
): Promise<readonly Pick<AuditRow, 'type' | 'at' | 'by' | 'data'>[]> {
  const rows = await db
    .selectFrom('audit')
    .select(['type', 'at', 'by', 'data'])
    .where('task_id', '=', taskId)
    .where('type', 'in', TYPES)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_ACTS)
    .execute();
  return rows.toReversed();
}
