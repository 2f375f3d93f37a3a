/** How a task began, as the audit has it. */
import type { Kysely } from 'kysely';
import type { Requester } from '../protocol/approval.ts';
import { isJsonObject, ownMember } from '../protocol/own-member.ts';
import type { Tables } from './tables.ts';

export interface TaskBeginning {
  /** Epoch ms. */
  readonly at: number;
  /** Hash of who called. */
  readonly caller: string;
  /** Absent where nobody signs in. */
  readonly requester: Requester | undefined;
}

/** A task that was reset has begun twice: as it did last. */
export async function taskBeginningOf(db: Kysely<Tables>, taskId: string): Promise<TaskBeginning | undefined> {
  const row = await db
    .selectFrom('audit')
    .select(['at', 'data'])
    .where('task_id', '=', taskId)
    .where('type', '=', 'created')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { caller, requester } = row?.data ?? {};
  if (row === undefined || typeof caller !== 'string') return undefined;
  return { at: row.at.getTime(), caller, requester: requesterIn(requester) };
}

function requesterIn(told: unknown): Requester | undefined {
  if (!isJsonObject(told)) return undefined;
  const [subject, organisation] = [ownMember(told, 'subject'), ownMember(told, 'organisation')];
  if (typeof subject !== 'string') return undefined;
  return { subject, ...(typeof organisation === 'string' ? { organisation } : {}) };
}
