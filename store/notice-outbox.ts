/**
 * What is to be told, as it waits for a front that sends it. Any number of fronts take from it: a notice is locked as long as it is
 * being sent, in the transaction that then says so. A front that dies in between has sent what another one sends again.
 */
import { sql, type Kysely, type Selectable, type SqlBool, type Transaction } from 'kysely';
import { NOTICE_CHANNELS, type Notice, type NoticeChannel } from '../protocol/notice.ts';
import type { NewNotice } from '../protocol/notices-of.ts';
import { PostgresApprovalQueue } from './approval-queue.ts';
import { keepable } from './audit-chain.ts';
import type { Tables } from './tables.ts';
import { taskBeginningOf, type TaskBeginning } from './task-beginning.ts';

export interface KeptNotice extends NewNotice {
  readonly taskId: string;
  readonly seq: number;
  readonly auditId: bigint;
}

export interface WaitingNotice extends Notice {
  /** Subject of a person. Absent: it is for a system, or it has yet to be found out who is asked. */
  readonly addressee: string | undefined;
  /** Attempts that have failed. */
  readonly attempts: number;
  /** Since it could be sent. */
  readonly waitsMs: number;
}

/** `done`: it is never looked at again. `addressees`: each of them gets one of their own instead. `notBefore`: it came too early. */
export type Dealt =
  | { readonly done: true; readonly addressees?: readonly string[] }
  | { readonly retryAfterMs: number }
  | { readonly notBefore: Date };

export interface AskedNow {
  /** Absent when it is no longer open. */
  readonly workflowId: string | undefined;
  readonly roles: readonly string[];
  /** By name: subjects. */
  readonly people: readonly string[];
  /** Subjects of those who need not be asked again. */
  readonly voted: readonly string[];
  /** Only its people are asked. */
  readonly organisation: string | undefined;
}

type Row = Selectable<Tables['notices']>;

/** In the transaction that writes the acts. */
export async function keepNotices(db: Kysely<Tables>, kept: readonly KeptNotice[]): Promise<void> {
  const rows = kept.flatMap(({ kind, details, dueAt, taskId, seq, auditId }) =>
    NOTICE_CHANNELS.map((channel) => ({
      task_id: taskId,
      seq,
      audit_id: auditId,
      kind,
      channel,
      addressee: null,
      details: JSON.stringify(keepable(details)),
      due_at: new Date(dueAt),
      next_at: new Date(dueAt),
    })),
  );
  if (rows.length === 0) return;
  await db
    .insertInto('notices')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Every method throws a StoreDown when the database is out of reach. */
export class NoticeOutbox {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Hands the next notice that is due to `deal`, which has 5 s. What has been overtaken is not handed over.
   * @returns whether there was one @throws what `deal` throws; then nothing has changed
   */
  async next(channel: NoticeChannel, deal: (notice: WaitingNotice) => Promise<Dealt>): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const row = await takeNext(transaction, channel);
      if (row === undefined) return false;
      const dealt = (await isOver(transaction, row)) ? { done: true as const } : await deal(toNotice(row));
      if ('retryAfterMs' in dealt) await putBack(transaction, row, dealt.retryAfterMs);
      else if ('notBefore' in dealt) await postpone(transaction, row, dealt.notBefore);
      else await finish(transaction, row, dealt.addressees ?? []);
      return true;
    });
  }

  /** Who is asked by the approval, as the queue has it now. */
  async asked(taskId: string, approvalId: string): Promise<AskedNow> {
    const approval = await new PostgresApprovalQueue(this.#db).find(approvalId);
    const votes = await this.#db
      .selectFrom('audit')
      .select('data')
      .where('task_id', '=', taskId)
      .where('type', '=', 'voted')
      .where(sql<SqlBool>`data->>'approval' = ${approvalId}`)
      .execute();
    const voted = votes.flatMap(({ data: { subject, onBehalfOf } }) => [subject, subjectOf(onBehalfOf)]);
    return {
      workflowId: approval?.workflowId,
      roles: approval?.roles ?? [],
      people: approval?.people ?? [],
      organisation: approval?.requester.organisation,
      voted: voted.filter((each) => typeof each === 'string'),
    };
  }

  /** `undefined` when the audit does not have it. */
  beginningOf(taskId: string): Promise<TaskBeginning | undefined> {
    return taskBeginningOf(this.#db, taskId);
  }

  /** Forgets what is done, and what nobody has sent, made before `madeBefore` and due before it. */
  async forget(madeBefore: Date): Promise<void> {
    await this.#db.deleteFrom('notices').where('made_at', '<', madeBefore).where('due_at', '<', madeBefore).execute();
  }
}

async function takeNext(transaction: Transaction<Tables>, channel: NoticeChannel): Promise<Row | undefined> {
  return transaction
    .selectFrom('notices')
    .selectAll()
    .where('channel', '=', channel)
    .where('done_at', 'is', null)
    .where('next_at', '<=', sql<Date>`now()`)
    .orderBy('next_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Whether what it is about has ended since: nobody needs to be told that somebody waits for them. */
async function isOver(db: Kysely<Tables>, { task_id, audit_id, kind, details }: Row): Promise<boolean> {
  if (kind === 'approval.decided' || kind === 'task.finished') return false;
  const { approvalId = '', questionKey = '' } = details;
  const later = await db
    .selectFrom('audit')
    .select('id')
    .where('task_id', '=', task_id)
    .where('id', '>', audit_id)
    .where((eb) =>
      eb.or([
        eb('type', 'in', ['ended', 'cancel_requested', 'expired', 'terminated']),
        eb.and([eb('type', '=', 'approval_decided'), eb('about', '=', approvalId)]),
        eb.and([eb('type', '=', 'answered'), sql<SqlBool>`jsonb_exists(data->'keys', ${questionKey})`]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}

async function putBack(db: Kysely<Tables>, { notice_id, attempts }: Row, retryAfterMs: number): Promise<void> {
  await db
    .updateTable('notices')
    .set({
      attempts: attempts + 1,
      next_at: sql<Date>`clock_timestamp() + make_interval(secs => ${retryAfterMs / 1_000})`,
    })
    .where('notice_id', '=', notice_id)
    .execute();
}

async function postpone(db: Kysely<Tables>, { notice_id }: Row, to: Date): Promise<void> {
  await db.updateTable('notices').set({ due_at: to, next_at: to }).where('notice_id', '=', notice_id).execute();
}

async function finish(db: Kysely<Tables>, row: Row, addressees: readonly string[]): Promise<void> {
  const { task_id, seq, audit_id, kind, channel, details, due_at, next_at } = row;
  const like = { task_id, seq, audit_id, kind, channel, details: JSON.stringify(details), due_at, next_at };
  if (addressees.length > 0) {
    await db
      .insertInto('notices')
      .values(addressees.map((addressee) => ({ ...like, addressee })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await db
    .updateTable('notices')
    .set({ done_at: sql<Date>`now()` })
    .where('notice_id', '=', row.notice_id)
    .execute();
}

function toNotice({ notice_id, task_id, kind, details, addressee, attempts, due_at, made_at }: Row): WaitingNotice {
  return {
    id: notice_id,
    taskId: task_id,
    kind,
    details,
    addressee: addressee ?? undefined,
    attempts,
    waitsMs: Date.now() - Math.max(due_at.getTime(), made_at.getTime()),
  };
}

function subjectOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'subject' in value ? value.subject : undefined;
}
