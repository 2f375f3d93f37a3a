/**
 * Sends what waits in the outbox, beside the other fronts. What does not arrive is tried again, later each time, for a day. A front
 * that dies after it has sent and before it could say so leaves a notice behind that is sent once more: at least once, with the same id.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { NoticeChannel } from '../../protocol/notice.ts';
import type { Dealt, NoticeOutbox, WaitingNotice } from '../../store/notice-outbox.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Expiry } from './expiry.ts';
import type { NoticeSender } from './notice-sender.ts';

/** On average. */
const LOOK_EVERY_MS = 2_000;
const FORGET_EVERY_MS = 3_600_000;
const GIVE_UP_AFTER_MS = 86_400_000;
/** Nothing is looked for here that could still be sent. */
const FORGET_AFTER_MS = 2 * GIVE_UP_AFTER_MS;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 15 * 60_000;
/** Each holds a connection of the database while it sends. */
const AT_ONCE = 2;

export interface Telling {
  readonly outbox: Pick<NoticeOutbox, 'next' | 'forget'>;
  /** A channel without one is off. */
  readonly senders: ReadonlyMap<NoticeChannel, NoticeSender>;
  readonly metrics: Pick<Metrics, 'countNotice'>;
  readonly log: Pick<Log, 'warn'>;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly lookEveryMs?: number;
  /** `undefined`: the task is over. */
  readonly expiryOf: (taskId: string) => Promise<Expiry | undefined>;
}

/** Runs until `signal` aborts, and keeps no process alive. */
export async function keepTelling(telling: Telling): Promise<void> {
  const lanes = [...telling.senders].flatMap(([channel, sender]) =>
    Array.from({ length: AT_ONCE }, () =>
      keepDoing(telling, telling.lookEveryMs ?? LOOK_EVERY_MS, () => sendAll(telling, channel, sender)),
    ),
  );
  const forget = (): Promise<void> => telling.outbox.forget(new Date(Date.now() - FORGET_AFTER_MS));
  await Promise.all([...lanes, keepDoing(telling, FORGET_EVERY_MS, forget)]);
}

async function keepDoing({ signal, log }: Telling, everyMs: number, work: () => Promise<void>): Promise<void> {
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    try {
      await work();
    } catch (error) {
      if (!isOver()) log.warn({ err: error }, 'notices wait: the database does not answer');
    }
    const jitteredMs = everyMs * (0.5 + Math.random());
    await delay(jitteredMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function sendAll(telling: Telling, channel: NoticeChannel, sender: NoticeSender): Promise<void> {
  const { outbox, signal } = telling;
  const deal = (notice: WaitingNotice): Promise<Dealt> => sendOne(telling, channel, sender, notice);
  while (!signal.aborted && (await outbox.next(channel, deal)));
}

/** What is still to be said; the time of a task may have been moved, and then it is too early. */
async function inTime(
  { expiryOf }: Telling,
  notice: WaitingNotice,
): Promise<{ readonly notice: WaitingNotice } | Dealt> {
  if (notice.kind !== 'task.expiring') return { notice };
  const expiry = await expiryOf(notice.taskId);
  if (expiry === undefined) return { done: true };
  const { dueAt, tellAt } = expiry;
  if (tellAt > Date.now()) return { notBefore: new Date(tellAt) };
  return { notice: { ...notice, details: { ...notice.details, due: new Date(dueAt).toISOString() } } };
}

async function sendOne(
  telling: Telling,
  channel: NoticeChannel,
  sender: NoticeSender,
  waiting: WaitingNotice,
): Promise<Dealt> {
  const { metrics, log, signal } = telling;
  const { id, taskId, kind, attempts, waitsMs } = waiting;
  const what = { notice: id, taskId, kind, channel };
  if (waitsMs > GIVE_UP_AFTER_MS) {
    log.warn({ ...what, attempts }, 'a notice was given up: it could not be sent within a day');
    metrics.countNotice(channel, 'given_up');
    return { done: true };
  }
  try {
    const timely = await inTime(telling, waiting);
    if (!('notice' in timely)) return timely;
    const { notice } = timely;
    if (sender.addresseesOf !== undefined && notice.addressee === undefined) {
      return { done: true, addressees: await sender.addresseesOf(notice) };
    }
    if ((await sender.send(notice, signal)) === 'sent') metrics.countNotice(channel, 'sent');
    return { done: true };
  } catch (error) {
    // Not the receiver's fault: another front sends it, or this one when it is back.
    if (signal.aborted) throw error;
    log.warn({ ...what, attempts: attempts + 1, err: error }, 'a notice did not arrive; it is sent again');
    metrics.countNotice(channel, 'failed');
    return { retryAfterMs: Math.min(FIRST_RETRY_MS * 2 ** attempts, LAST_RETRY_MS) };
  }
}
