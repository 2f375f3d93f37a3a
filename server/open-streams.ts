/** How many answers without a foreseeable end a front holds open, of each caller and of all. */
import type { ServerResponse } from 'node:http';
import { TOO_MANY_SUBSCRIPTIONS } from '../protocol/extension.ts';
import type { Caller } from './caller.ts';
import type { Metrics } from './metrics.ts';
import { onceGone } from './once-gone.ts';
import { refuse } from './refusal.ts';

export interface StreamLimits {
  /** Open streams of this process. */
  readonly streams: number;
  readonly streamsPerCaller: number;
}

export interface OpenStreams {
  /** Counts the stream of `response` until that is over. `false`: there are as many as may be. */
  admit(caller: Caller, response: ServerResponse): boolean;
}

const RETRY_AFTER_SECONDS = 5;

export const TOO_MANY_STREAMS = refuse(
  429,
  TOO_MANY_SUBSCRIPTIONS,
  'Too many subscriptions are open. Close one, list more tasks in one, or poll with tasks/get; then try again.',
  { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
);

export function createOpenStreams(limits: StreamLimits, metrics: Pick<Metrics, 'countStream'>): OpenStreams {
  const open = new Map<string, number>();
  return {
    admit({ principal }, response) {
      const own = open.get(principal) ?? 0;
      const all = [...open.values()].reduce((sum, count) => sum + count, 0);
      if (all >= limits.streams || own >= limits.streamsPerCaller) return false;
      open.set(principal, own + 1);
      const uncount = metrics.countStream();
      onceGone(response, () => {
        uncount();
        const left = (open.get(principal) ?? 1) - 1;
        if (left > 0) open.set(principal, left);
        else open.delete(principal);
      });
      return true;
    },
  };
}
