/** The limits of one caller, looked at when a message is known and before anything is done for it. */
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { TOO_MANY_CALLS, TOO_MANY_OPEN_TASKS, TOO_MANY_POLLS } from '../../protocol/extension.ts';
import type { Caller } from '../caller.ts';
import type { Metrics } from '../metrics.ts';
import type { RequestStates } from '../request-state.ts';
import type { TaskStore } from '../task-store.ts';
import type { ToolContracts } from '../tool-contract.ts';
import { callKey } from './call-key.ts';
import { DEFAULT_LIMITS, type LimitsConfig } from './config.ts';
import { goesOn } from './goes-on.ts';
import { OpenTasks } from './open-tasks.ts';
import { msOverLimit } from './over-limit.ts';
import { createSharedCounter, type LimitsDatabase } from './shared-counter.ts';
import { useOf, type LimitedMessage, type Use } from './use-of.ts';

/** For the client. */
export interface LimitRefusal {
  readonly code: number;
  /** Which limit it is, and when to come back. */
  readonly text: string;
  readonly retryAfterSeconds: number;
}

export interface Limits {
  /** Counts the message. `keyHeader`: its `Idempotency-Key`. `undefined`: it may go on. */
  refuse(caller: Caller, message: LimitedMessage, keyHeader?: string): Promise<LimitRefusal | undefined>;
  /** Counts a request that is no message: as a tool call that starts nothing, or as a read. */
  refuseRequest(caller: Caller, kind: Use['kind']): Promise<LimitRefusal | undefined>;
}

export interface LimitsParts {
  /** What is left out is as DEFAULT_LIMITS says. */
  readonly config: Partial<LimitsConfig> | undefined;
  readonly contracts: ToolContracts;
  readonly requestStates: Pick<RequestStates, 'open'>;
  readonly store: Pick<TaskStore, 'countOpen' | 'hasKey'>;
  readonly database: LimitsDatabase | undefined;
  readonly metrics: Pick<Metrics, 'countRefusal'>;
}

/** They share what a request costs beside them. */
const LOOK_UPS_OF_A_POLL = 10;
/** No read weighs more than this part of what may come in a second: beside others it would never be let in. */
const LARGEST_SHARE = 10;
/** A task may end at any time. */
const OPEN_TASKS_RETRY_MS = 5_000;

export function createLimits(parts: LimitsParts): Limits {
  const { config, contracts, requestStates, store, database, metrics } = parts;
  const { callsPerMinute, pollsPerSecond, openTasks } = { ...DEFAULT_LIMITS, ...config };
  const calls = createSharedCounter({ name: 'calls', points: callsPerMinute, seconds: 60 }, database);
  // A poll costs less than a write to a database would: each front counts its own.
  const polls = new RateLimiterMemory({ points: pollsPerSecond, duration: 1 });
  const open = new OpenTasks(store, openTasks);

  async function refusePoll({ principal }: Caller, lookUps: number): Promise<LimitRefusal | undefined> {
    const weight = Math.min(Math.ceil(lookUps / LOOK_UPS_OF_A_POLL), pollsPerSecond / LARGEST_SHARE);
    const waitMs = await msOverLimit(polls, principal, Math.max(Math.floor(weight), 1));
    if (waitMs === 0) return undefined;
    metrics.countRefusal('polls');
    return refusal(TOO_MANY_POLLS, waitMs, `Too many reads of tasks: ${String(pollsPerSecond)} a second may come.`);
  }

  /** It starts nothing, and its caller must be able to find the task again, above all when there is no room. */
  async function isRepeated(caller: Caller, key: string | undefined): Promise<boolean> {
    // When nobody can tell, it may start a task, for which there is no room.
    return key !== undefined && (await store.hasKey(caller, key).catch(() => false));
  }

  async function refuseCall({ principal }: Caller): Promise<LimitRefusal | undefined> {
    const waitMs = await msOverLimit(calls, principal);
    if (waitMs === 0) return undefined;
    metrics.countRefusal('calls');
    return refusal(TOO_MANY_CALLS, waitMs, `Too many tool calls: ${String(callsPerMinute)} a minute may come.`);
  }

  async function refuseStart(caller: Caller, key: () => string | undefined): Promise<LimitRefusal | undefined> {
    if ((await open.admit(caller)) || (await isRepeated(caller, key()))) return undefined;
    metrics.countRefusal('open_tasks');
    const text = `Too many tasks are open: ${String(openTasks)} may be. Finish or cancel one.`;
    return refusal(TOO_MANY_OPEN_TASKS, OPEN_TASKS_RETRY_MS, text);
  }

  return {
    async refuse(caller, message, keyHeader) {
      const { params } = message;
      const use = useOf(message, contracts);
      if (use === undefined) return undefined;
      if (use.kind === 'poll') return refusePoll(caller, use.lookUps);
      const over = await refuseCall(caller);
      // Whoever goes on in a task must be able to end it.
      if (over !== undefined || !use.mayStart || goesOn(caller, params, contracts, requestStates)) return over;
      return refuseStart(caller, () => callKey(params, keyHeader, contracts));
    },
    refuseRequest: (caller, kind) => (kind === 'poll' ? refusePoll(caller, 1) : refuseCall(caller)),
  };
}

function refusal(code: number, waitMs: number, text: string): LimitRefusal {
  const retryAfterSeconds = Math.ceil(waitMs / 1_000);
  return { code, text: `${text} Try again in ${String(retryAfterSeconds)} s.`, retryAfterSeconds };
}
