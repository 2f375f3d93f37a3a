/**
 * The changes of one task, for all who watch it in this process: one history long poll, begun with the first of them and
 * ended with the last.
 *
 * What is shown is always read the way `tasks/get` reads; the history only says when. The snapshots in it are looked
 * through before a newer state is shown, for requests that came and went between two reads. An outage of Temporal ends
 * nothing: the feed goes on where it stopped.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isGrpcServiceError } from '@temporalio/client';
import { statusOf } from '../../protocol/task-state.ts';
import { isTerminal } from '../../protocol/task.ts';
import { StoreUnavailable, TaskNotFound } from '../task-store.ts';
import { TaskUpdates } from '../task-updates.ts';
import type { CloseEvent } from './close-event.ts';
import { isActivityScheduled, isChange } from './history-bell.ts';
import { HistoryTrail } from './history-trail.ts';
import type { ReadTask } from './task-reader.ts';
import { isExhausted, isRetryable, type TemporalService } from './temporal-service.ts';

const FIRST_BACK_OFF_MS = 50;
const MAX_BACK_OFF_MS = 1_000;
/** Temporal limits how many long polls it holds. Whoever gets none reads at this interval until one is free. */
const EXHAUSTED_BACK_OFF_MS = 5_000;
const PROGRESS_INTERVAL_MS = 5_000;

/** `undefined`: there is no such task. A close event that was met spares a call. */
export type ReadOne = (met?: CloseEvent) => Promise<ReadTask | undefined>;

export interface TaskFeedParts {
  readonly service: TemporalService;
  readonly read: ReadOne;
  /** Called once: nobody is left, or the task has ended. */
  readonly onStop: () => void;
}

export class TaskFeed {
  readonly #parts: TaskFeedParts;
  readonly #stop = new AbortController();
  readonly #subscribers = new Set<TaskUpdates>();
  #trail: HistoryTrail | undefined;
  #reading: Promise<unknown> = Promise.resolve();
  #nextRead: Promise<ReadTask | undefined> | undefined;
  #progressTimer: NodeJS.Timeout | undefined;

  constructor(parts: TaskFeedParts) {
    this.#parts = parts;
  }

  /** The task as it is now, and what becomes of it. @throws TaskNotFound, StoreUnavailable */
  async join(): Promise<TaskUpdates> {
    const updates = new TaskUpdates();
    this.#subscribers.add(updates);
    try {
      const read = await this.#read();
      if (read === undefined) throw new TaskNotFound();
      updates.offer({ state: read.state, life: this.#trail?.life ?? 0 });
      this.#follow(read);
    } catch (error) {
      this.leave(updates);
      throw error;
    }
    return updates;
  }

  leave(updates: TaskUpdates): void {
    updates.end();
    this.#subscribers.delete(updates);
    if (this.#subscribers.size === 0) this.#close();
  }

  /** One after the other, so that what is read later is never older; who asks while one waits its turn shares it. */
  #read(): Promise<ReadTask | undefined> {
    this.#nextRead ??= this.#reading.then(() => {
      this.#nextRead = undefined;
      const read = this.#parts.read(this.#trail?.closeEvent);
      this.#reading = read.catch(() => undefined);
      return read;
    });
    return this.#nextRead;
  }

  #follow({ state, description }: ReadTask): void {
    if (this.#trail !== undefined || this.#stop.signal.aborted || isTerminal(statusOf(state))) return;
    this.#trail = new HistoryTrail(this.#parts.service, description);
    if (description.hasActivities) this.#awaitProgress();
    void this.#run(this.#trail);
  }

  async #run(trail: HistoryTrail): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted;) {
      try {
        // Whatever rang during an outage was not heard.
        if (failures > 0) await this.#show(trail);
        const events = await trail.round(signal);
        failures = 0;
        if (events.some(isChange)) await this.#show(trail);
        else if (events.some(isActivityScheduled)) this.#awaitProgress();
      } catch (error) {
        failures += 1;
        await this.#endure(error, failures, trail);
      }
    }
  }

  async #endure(error: unknown, failures: number, trail: HistoryTrail): Promise<void> {
    if (!isGrpcServiceError(error) && !(error instanceof StoreUnavailable)) {
      // Nobody foresaw it: better a stream that ends than one that stays silent.
      for (const updates of this.#subscribers) updates.fail(new Error('A feed broke off.', { cause: error }));
      this.#close();
      return;
    }
    trail.doubt();
    if (!isRetryable(error)) trail.rewind();
    if (isExhausted(error)) await this.#showUnheard(trail);
    await pause(failures, isExhausted(error) ? EXHAUSTED_BACK_OFF_MS : MAX_BACK_OFF_MS, this.#stop.signal);
  }

  /** Reads, looks through the events that led there, and offers both in order. */
  async #show(trail: HistoryTrail): Promise<void> {
    const read = await this.#read();
    if (read !== undefined) await trail.catchUp(read.description, this.#stop.signal);
    this.#offer(read, trail);
  }

  /** Without a long poll requests that come and go between two reads are not seen: better than nothing at all. */
  async #showUnheard(trail: HistoryTrail): Promise<void> {
    const read = await this.#read().catch(() => 'unknown' as const);
    if (read !== 'unknown') this.#offer(read, trail);
  }

  #offer(read: ReadTask | undefined, trail: HistoryTrail): void {
    const now = read === undefined ? [] : [{ state: read.state, life: trail.life }];
    const views = [...trail.takePassed(), ...now];
    for (const updates of this.#subscribers) {
      for (const view of views) updates.offer(view);
      if (read === undefined) updates.end();
    }
    if (read === undefined || isTerminal(statusOf(read.state))) this.#close();
    else if (read.description.hasActivities) this.#awaitProgress();
  }

  /** Heartbeats ring no bell, so they are looked at now and then. */
  #awaitProgress(): void {
    if (this.#stop.signal.aborted) return;
    this.#progressTimer ??= setTimeout(() => {
      this.#progressTimer = undefined;
      void this.#showProgress();
    }, PROGRESS_INTERVAL_MS);
  }

  async #showProgress(): Promise<void> {
    const read = await this.#read().catch(() => undefined);
    const trail = this.#trail;
    // Behind the history, the bell is about to ring and to show what happened in between as well.
    if (read === undefined || trail === undefined || trail.isBehind(read.description)) this.#awaitProgress();
    else this.#offer(read, trail);
  }

  #close(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    clearTimeout(this.#progressTimer);
    this.#parts.onStop();
  }
}

async function pause(failures: number, maxMs: number, signal: AbortSignal): Promise<void> {
  const waitMs = Math.min(FIRST_BACK_OFF_MS * 2 ** Math.min(failures, 10), maxMs);
  await delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
}
