/** The teller of a front, and the acts that it tells of. */
import { sql } from 'kysely';
import type { Act } from '../../protocol/act.ts';
import type { Approval } from '../../protocol/approval.ts';
import type { NoticeChannel } from '../../protocol/notice.ts';
import type { ApprovalCase } from '../../server/approvals/approval-desk.ts';
import { expiryOf } from '../../server/notices/expiry.ts';
import type { NoticeSender } from '../../server/notices/notice-sender.ts';
import { keepTelling } from '../../server/notices/telling.ts';
import { NoticeOutbox } from '../../store/notice-outbox.ts';
import { openDatabase } from '../../store/postgres.ts';
import { anApproval } from './an-approval.ts';
import type { TestAudit } from './audit.ts';
import { eventually } from './eventually.ts';
import { atScopeEnd } from './scope.ts';

export const HOUR_MS = 3_600_000;

export function act(type: Act['type'], seq: number, more: Partial<Act> = {}): Act {
  return { seq, at: Date.now() - 1_000, type, about: '', data: {}, ...more };
}

export function about(approvalId: string, data: Act['data'] = {}): Partial<Act> {
  return { about: approvalId, data: { approval: approvalId, ...data } };
}

/** One that waits now, for as long as any test takes. */
export function open(more: Partial<Approval> = {}): Approval {
  return anApproval({ openedAt: Date.now(), dueAt: Date.now() + HOUR_MS, ...more });
}

export interface Front {
  readonly counted: string[];
  readonly said: string[];
  readonly stop: () => Promise<void>;
}

/** The teller of a front, with connections of its own. */
export function startFront(
  audit: TestAudit,
  senders: (outbox: NoticeOutbox) => ReadonlyMap<NoticeChannel, NoticeSender>,
  /** Of the task as it is now. Default: every task is over. */
  task?: () => ApprovalCase | undefined,
): Front {
  const { db, close } = openDatabase(audit.url);
  const stopping = new AbortController();
  const outbox = new NoticeOutbox(db);
  const counted: string[] = [];
  const said: string[] = [];
  const ended = keepTelling({
    outbox,
    senders: senders(outbox),
    expiryOf: (taskId) => expiryOf({ outbox, desk: { read: async () => task?.() } }, taskId),
    metrics: { countNotice: (channel, outcome) => counted.push(`${channel} ${outcome}`) },
    log: { warn: (_: unknown, text?: string) => said.push(text ?? '') },
    signal: stopping.signal,
    lookEveryMs: 50,
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
    await close();
  };
  atScopeEnd(stop);
  return { counted, said, stop };
}

/** Nothing is left that could still be sent now. */
export async function untilQuiet(audit: TestAudit, channel: NoticeChannel): Promise<void> {
  await eventually(async () => {
    const { rows } = await sql<{ open: bigint }>`
      select count(*) as open from notices
      where channel = ${channel} and done_at is null and due_at <= now()`.execute(audit.db);
    return rows[0]?.open === 0n;
  }, 20_000);
}
