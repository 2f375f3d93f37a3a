/** What an operator can count. Labels come from closed sets, so that no caller can grow them. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { SERVED_METHODS } from '../protocol/methods.ts';
import { approvalToolNames } from './approval-tools.ts';
import { fallbackToolNames } from './fallback-tools.ts';
import type { SignInRefusal } from './auth/authenticate.ts';
import type { NoticeChannel } from '../protocol/notice.ts';
import { within } from './within.ts';
import type { ServiceHealth } from './service-health.ts';

export type AnswerKind = 'plain' | 'task' | 'input' | 'error';

/** The limits of a caller, and that of all bodies together. */
export type LimitName = 'calls' | 'polls' | 'open_tasks' | 'streams' | 'body_bytes' | 'uploads';
export type SignInFailure = SignInRefusal['kind'];
/** `failed`: it is tried again. */
export type NoticeOutcome = 'sent' | 'failed' | 'given_up';

export interface Metrics {
  /** Call it when a tool call comes in, and what it returns when the call is answered. */
  countCall(tool: unknown): (answer: AnswerKind) => void;
  countPoll(): void;
  /** Call it when an answer without a foreseeable end opens, and what it returns when that has ended. */
  countStream(): () => void;
  countRefusal(limit: LimitName): void;
  countSignInFailure(kind: SignInFailure): void;
  countNotice(channel: NoticeChannel, outcome: NoticeOutcome): void;
  observeRequest(method: unknown, seconds: number): void;
  /** The Prometheus text. What the Temporal Service does not tell is left out. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
}

const CACHE_MS = 10_000;
const SCRAPE_BUDGET_MS = 3_000;
const KNOWN_METHODS = new Set(SERVED_METHODS);

export function createMetrics(tools: readonly string[], health: ServiceHealth): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const known = new Set([...tools, ...approvalToolNames, ...fallbackToolNames]);
  const calls = new Counter({
    name: 'mcp_tool_calls_total',
    help: 'Answered tool calls by tool and kind of answer.',
    labelNames: ['tool', 'answer'],
    registers,
  });
  const open = new Gauge({
    name: 'mcp_tool_calls_open',
    help: 'Tool calls that this process is answering.',
    registers,
  });
  const polls = new Counter({ name: 'mcp_task_polls_total', help: 'Calls of tasks/get.', registers });
  const streams = new Gauge({
    name: 'mcp_task_streams_open',
    help: 'Open streams of subscriptions/listen that carry task notifications, and tasks/result that is held.',
    registers,
  });
  const requests = new Histogram({
    name: 'mcp_request_duration_seconds',
    help: 'From the first byte of a request to the end of its answer.',
    labelNames: ['method'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers,
  });

  const refusals = new Counter({
    name: 'mcp_limit_refusals_total',
    help: 'Requests refused because a limit was reached.',
    labelNames: ['limit'],
    registers,
  });
  const signInFailures = new Counter({
    name: 'mcp_sign_in_failures_total',
    help: 'Requests that were not let in, by what their credential lacked.',
    labelNames: ['kind'],
    registers,
  });

  const notices = new Counter({
    name: 'mcp_notices_total',
    help: 'Attempts to send mail and webhooks, by what became of them.',
    labelNames: ['channel', 'outcome'],
    registers,
  });

  const countTasks = cached(() => health.countTasks(tools));
  const tasks = new Gauge({
    name: 'mcp_tasks',
    help: 'Tasks by tool and status, as the visibility store of Temporal counts them.',
    labelNames: ['tool', 'status'],
    registers,
  });
  const backlog = new Gauge({
    name: 'mcp_task_queue_backlog',
    help: 'What waits in the task queue for a worker, by kind of Temporal task.',
    labelNames: ['kind'],
    registers,
  });

  async function scrape(): Promise<void> {
    const [counts, waiting] = await Promise.allSettled([
      within(SCRAPE_BUDGET_MS, countTasks()),
      within(SCRAPE_BUDGET_MS, health.backlog()),
    ]);
    tasks.reset();
    backlog.reset();
    if (counts.status === 'fulfilled') {
      for (const { tool, status, count } of counts.value) tasks.set({ tool, status }, count);
    }
    if (waiting.status === 'fulfilled') {
      for (const [kind, count] of Object.entries(waiting.value)) backlog.set({ kind }, count);
    }
  }

  return {
    countCall(tool) {
      open.inc();
      const name = typeof tool === 'string' && known.has(tool) ? tool : 'unknown';
      return (answer) => {
        open.dec();
        calls.inc({ tool: name, answer });
      };
    },
    countPoll: () => polls.inc(),
    countStream() {
      streams.inc();
      return () => streams.dec();
    },
    countRefusal: (limit) => refusals.inc({ limit }),
    countSignInFailure: (kind) => signInFailures.inc({ kind }),
    countNotice: (channel, outcome) => notices.inc({ channel, outcome }),
    observeRequest(method, seconds) {
      requests.observe({ method: typeof method === 'string' && KNOWN_METHODS.has(method) ? method : 'other' }, seconds);
    },
    async expose() {
      await scrape();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Counting asks the visibility store for each tool and status: at most once in ten seconds. */
function cached<T>(read: () => Promise<T>): () => Promise<T> {
  let latest: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (latest !== undefined && performance.now() - latest.at < CACHE_MS) return latest.value;
    const value = read();
    const entry = { at: performance.now(), value };
    latest = entry;
    // A failure is not kept: the next scrape asks again.
    value.catch(() => {
      if (latest === entry) latest = undefined;
    });
    return value;
  };
}
