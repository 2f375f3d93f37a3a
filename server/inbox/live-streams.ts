/**
 * Open pages learn that something of theirs has changed, and then look again. A message says nothing of what it is, and no stream
 * lasts: a browser that comes back proves anew who it is, so that a sign-in that is over ends its streams at every front within
 * a minute, and where somebody signs out at once.
 */
import type { ServerResponse } from 'node:http';
import { onceGone } from '../once-gone.ts';
import { SseStream, type SsePace } from '../sse-stream.ts';
import type { ApprovalWatch, Told } from '../approvals/approval-watch.ts';

export interface LiveLimits extends SsePace {
  /** Open streams of this process. */
  readonly streams: number;
  /** A browser opens one for each page that is in sight. */
  readonly streamsPerPerson: number;
  /** On average. */
  readonly lifeMs: number;
}

export const LIVE_LIMITS: LiveLimits = {
  streams: 1_000,
  streamsPerPerson: 10,
  lifeMs: 40_000,
  keepAliveMs: 15_000,
  blockedMs: 10_000,
};

export interface LiveStream {
  /** Hash of whose it is. */
  readonly principal: string;
  /** Of the sign-in. */
  readonly csrf: string;
  readonly isMine: (told: Told) => boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
}

interface Open extends Pick<LiveStream, 'principal' | 'csrf'> {
  readonly end: () => void;
}

export class LiveStreams {
  readonly #watch: ApprovalWatch;
  readonly #limits: LiveLimits;
  readonly #open = new Set<Open>();

  constructor(watch: ApprovalWatch, limits: Partial<LiveLimits> = {}) {
    this.#watch = watch;
    this.#limits = { ...LIVE_LIMITS, ...limits };
  }

  hasRoomFor(principal: string): boolean {
    const own = [...this.#open].filter((open) => open.principal === principal).length;
    return this.#open.size < this.#limits.streams && own < this.#limits.streamsPerPerson;
  }

  /** Writes the head of `response` and goes on by itself. */
  serve(response: ServerResponse, { principal, csrf, isMine, signal }: LiveStream): void {
    const stream = new SseStream(response, this.#limits);
    const end = (): void => void stream.end();
    const open: Open = { principal, csrf, end };
    const look = onlyLatest(() => stream.send({ changed: true }));
    const stopWatching = this.#watch.watch((told) => {
      if (isMine(told)) look();
    });
    const life = setTimeout(end, this.#limits.lifeMs * (0.5 + Math.random()));
    this.#open.add(open);
    signal.addEventListener('abort', end, { once: true });
    onceGone(response, () => {
      clearTimeout(life);
      stopWatching();
      this.#open.delete(open);
      signal.removeEventListener('abort', end);
    });
  }

  /** Those of one sign-in, at this front. */
  endOf(csrf: string): void {
    for (const open of this.#open) if (open.csrf === csrf) open.end();
  }
}

/** While `send` is at work, any number of calls make one more of it: nothing piles up for a slow reader. */
function onlyLatest(send: () => Promise<void>): () => void {
  let isAtWork = false;
  let isDue = false;
  const work = async (): Promise<void> => {
    isAtWork = true;
    while (isDue) {
      isDue = false;
      await send();
    }
    isAtWork = false;
  };
  return () => {
    isDue = true;
    if (!isAtWork) void work();
  };
}
