import { describe, expect, it } from '@jest/globals';
import {
  fromSnapshot,
  next,
  seedState,
  statusOf,
  toSnapshot,
  type Outcome,
  type TaskEvent,
  type TaskState,
} from '../../../protocol/task-state.ts';
import { toDetailedTask } from '../../../protocol/detailed-task.ts';
import type { InputRequest } from '../../../protocol/task.ts';
import { verifies } from '../../support/verifies.ts';

const CREATED_AT = Date.UTC(2026, 10, 29, 10);
const DEADLINE_AT = CREATED_AT + 60_000;

const seed = { taskId: 'task-1', createdAt: CREATED_AT, ttlMs: 60_000, pollIntervalMs: 1_000 };
const result = { content: [{ type: 'text', text: 'done' }] } as const;
const completed: Outcome = { status: 'completed', result };
const failed: Outcome = { status: 'failed', error: { code: -32603, message: 'It broke.' } };

function question(message: string): InputRequest {
  return { method: 'elicitation/create', params: { message } };
}
/** The state after `events`, each one second after the one before. */
function after(...events: readonly DistributiveOmit<TaskEvent, 'at'>[]): TaskState {
  return events.reduce<TaskState>(
    (state, event, index) => next(state, { at: CREATED_AT + (index + 1) * 1_000, ...event }),
    seedState(seed),
  );
}
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const asked = { type: 'asked', requests: { a: question('A?'), b: question('B?') } } as const;
const answered = (keys: string[], receivedAt = CREATED_AT) => ({ type: 'answered', keys, receivedAt }) as const;
const ended = (outcome: Outcome) => ({ type: 'ended', outcome, resultRetentionMs: 1_000_000 }) as const;
const settling = { type: 'settling', status: 'completed', digest: 'd1' } as const;
const cancelRequested = { type: 'cancelRequested' } as const;
const deadlinePassed = { type: 'deadlinePassed' } as const;

describe('seedState', () => {
  it('starts working, at revision 0, with a deadline a ttl after creation', () => {
    const state = seedState(seed);
    expect(statusOf(state)).toBe('working');
    expect(state).toMatchObject({ rev: 0, lastUpdatedAt: CREATED_AT, deadlineAt: DEADLINE_AT, requests: {} });
  });
});

describe('next', () => {
  it.each<[string, DistributiveOmit<TaskEvent, 'at'>]>([
    ['asked', { type: 'asked', requests: { c: question('C?') } }],
    ['answered', answered(['a'])],
    ['withdrawn', { type: 'withdrawn', keys: ['a'] }],
    ['reported', { type: 'reported', message: 'still here' }],
    ['extended', { type: 'extended', byMs: 1, maxTtlMs: 1e9 }],
    ['cancelRequested', cancelRequested],
    ['deadlinePassed', deadlinePassed],
    ['settling', settling],
    ['ended', ended(failed)],
  ])('I1: %s does not move a terminal task', (_name, event) => {
    verifies('status.terminal');
    for (const outcome of [completed, failed, { status: 'cancelled' } as const]) {
      const terminal = after(asked, ended(outcome));
      expect(next(terminal, { at: CREATED_AT + 9_000, ...event })).toBe(terminal);
    }
  });

  it('I2: a question makes the task input_required and its last answer makes it working', () => {
    expect(statusOf(after(asked))).toBe('input_required');
    expect(statusOf(after(asked, answered(['a'])))).toBe('input_required');
    expect(statusOf(after(asked, answered(['a']), answered(['b'])))).toBe('working');
  });

  it('I3: a key that was outstanding, answered or withdrawn is never asked again', () => {
    verifies('keys.no-reuse', 'keys.unique');
    const before = after(asked, answered(['a']), { type: 'withdrawn', keys: ['b'] });
    expect(next(before, { at: CREATED_AT, ...asked })).toBe(before);
    expect(next(after(asked), { at: CREATED_AT, ...asked })).toEqual(after(asked));
  });

  it('I3: fresh keys beside used ones are asked', () => {
    const state = after(asked, answered(['a', 'b']), {
      type: 'asked',
      requests: { a: question('A?'), c: question('C?') },
    });
    expect(Object.keys(state.requests)).toEqual(['c']);
  });

  it.each([['never'], ['a'], ['__proto__'], ['constructor'], ['toString'], ['hasOwnProperty']])(
    'I4: a response for %s, which is not outstanding, changes nothing',
    (key) => {
      verifies('update.ignore');
      const state = after(asked, answered(['a']));
      expect(next(state, { at: CREATED_AT + 9_000, ...answered([key]) })).toBe(state);
    },
  );

  it('I4: one update may hold outstanding and other keys', () => {
    verifies('update.partial');
    expect(Object.keys(after(asked, answered(['never', 'b', 'b'])).requests)).toEqual(['a']);
  });

  it('I5: lastUpdatedAt stays when a clock runs backwards', () => {
    const state = next(after(asked), { at: CREATED_AT - 5_000, type: 'reported', message: 'x' });
    expect(state.lastUpdatedAt).toBe(CREATED_AT + 1_000);
    expect(state.createdAt).toBe(CREATED_AT);
  });

  it('counts every change and nothing else in rev', () => {
    expect(after(asked, answered(['a']), answered(['a'])).rev).toBe(2);
  });

  it('I7: an answer counts up to the deadline and not at it', () => {
    expect(Object.keys(after(asked, answered(['a'], DEADLINE_AT - 1)).requests)).toEqual(['b']);
    expect(Object.keys(after(asked, answered(['a'], DEADLINE_AT)).requests)).toEqual(['a', 'b']);
  });

  it.each([
    ['a cancel', cancelRequested],
    ['the deadline', deadlinePassed],
    ['settling', settling],
  ])('I7: after %s no answer, question, extension, cancel or deadline counts', (_name, over) => {
    const state = after(asked, over);
    expect(state.requests).toEqual({});
    for (const event of [
      answered(['a']),
      { type: 'asked', requests: { c: question('C?') } },
      { type: 'extended', byMs: 1_000, maxTtlMs: 1e9 },
      cancelRequested,
      deadlinePassed,
    ] as const) {
      expect(next(state, { at: CREATED_AT + 9_000, ...event })).toBe(state);
    }
  });

  it('keeps the first ending', () => {
    expect(after(cancelRequested, deadlinePassed).ending).toBe('cancel');
    expect(after(deadlinePassed, cancelRequested).ending).toBe('deadline');
  });

  it('ignores a report that says the same again', () => {
    expect(after({ type: 'reported', message: 'x' }, { type: 'reported', message: 'x' }).rev).toBe(1);
  });

  it('lets a body report while it is cleaning up', () => {
    expect(after(cancelRequested, { type: 'reported', message: 'undoing' }).statusMessage).toBe('undoing');
  });

  it('moves ttl and deadline together, up to the maximum', () => {
    verifies('time.integer');
    const state = after({ type: 'extended', byMs: 10_000, maxTtlMs: 65_000 });
    expect([state.ttlMs, state.deadlineAt]).toEqual([65_000, CREATED_AT + 65_000]);
    expect(after({ type: 'extended', byMs: -1, maxTtlMs: 65_000 }).rev).toBe(0);
  });

  it('fixes the outcome once', () => {
    expect(after(settling, { ...settling, digest: 'd2' }).settling).toEqual({ status: 'completed', digest: 'd1' });
  });

  it('ends with the retention counted from the end, and no question left', () => {
    const state = after(asked, ended(completed));
    expect(state).toMatchObject({ requests: {}, outcome: completed, ttlMs: 1_002_000 });
  });

  it('keeps the retention when the end is stamped before the creation', () => {
    expect(next(seedState(seed), { at: CREATED_AT - 5, ...ended(completed) }).ttlMs).toBe(1_000_000);
  });
});

describe('statusOf', () => {
  it.each([completed, failed, { status: 'cancelled' } as const])(
    'is the status of the outcome once there is one',
    (outcome) => {
      expect(statusOf(after(asked, ended(outcome)))).toBe(outcome.status);
    },
  );
});

describe('toSnapshot and fromSnapshot', () => {
  it('keep all that a reader needs and fold on', () => {
    const snapshot = toSnapshot(after(asked, answered(['a'])));
    expect(snapshot).not.toHaveProperty('closedKeys');
    const folded = next(fromSnapshot(snapshot), { at: CREATED_AT + 9_000, ...answered(['b']) });
    expect(toSnapshot(folded)).toEqual({ ...snapshot, requests: {}, rev: 3, lastUpdatedAt: CREATED_AT + 9_000 });
  });
});

describe('toDetailedTask', () => {
  const base = { taskId: 'task-1', createdAt: '2026-11-29T10:00:00.000Z', ttlMs: 60_000, pollIntervalMs: 1_000 };

  it('says working without a message when there is nothing to say', () => {
    expect(toDetailedTask(seedState(seed))).toEqual({ ...base, status: 'working', lastUpdatedAt: base.createdAt });
  });

  it('carries every outstanding request, and its questions as the message', () => {
    verifies('get.all-outstanding');
    expect(toDetailedTask(after({ type: 'reported', message: 'hidden' }, asked))).toEqual({
      ...base,
      status: 'input_required',
      pollIntervalMs: 5_000,
      statusMessage: 'Waiting for your answer: A? / B?',
      lastUpdatedAt: '2026-11-29T10:00:02.000Z',
      inputRequests: asked.requests,
    });
  });

  it('falls back to the report when a request has no message', () => {
    const roots = { type: 'asked', requests: { a: { method: 'roots/list', params: {} } } } as const;
    const task = toDetailedTask(after({ type: 'reported', message: 'here' }, roots));
    expect([task.statusMessage, task.pollIntervalMs]).toEqual(['here', 1_000]);
  });

  it('asks to be polled less often while a person is waited for, and never more often than the tool says', () => {
    const interval = (state: TaskState): number => toDetailedTask(state).pollIntervalMs;
    expect(interval(after(asked))).toBe(5_000);
    expect(interval(after(asked, answered(['a', 'b'])))).toBe(1_000);
    expect(interval(after(asked, cancelRequested))).toBe(1_000);
    expect(interval({ ...after(asked), pollIntervalMs: 60_000 })).toBe(60_000);
  });

  it('I6: has a result exactly when completed, with its resultType', () => {
    const task = toDetailedTask(after(ended(completed)));
    expect(task).toMatchObject({
      status: 'completed',
      statusMessage: 'Completed',
      result: { ...result, resultType: 'complete' },
    });
    expect(task).not.toHaveProperty('error');
  });

  it('calls a tool error completed, and says so', () => {
    verifies('status.failed-rpc-only');
    const refused = { status: 'completed', result: { ...result, isError: true } } as const;
    expect(toDetailedTask(after(ended(refused)))).toMatchObject({
      status: 'completed',
      statusMessage: 'Completed with an error',
    });
  });

  it('I6: has an error exactly when failed, and its message as diagnostics', () => {
    verifies('status.failed-message');
    const task = toDetailedTask(after(ended(failed)));
    expect(task).toMatchObject({
      status: 'failed',
      statusMessage: 'It broke.',
      error: { code: -32603, message: 'It broke.' },
    });
    expect(task).not.toHaveProperty('result');
  });

  it('I6: has neither when cancelled', () => {
    const task = toDetailedTask(after(ended({ status: 'cancelled' })));
    expect(task).toMatchObject({ status: 'cancelled', statusMessage: 'Cancelled' });
    expect(Object.keys(task)).not.toContain('result');
    expect(Object.keys(task)).not.toContain('error');
  });

  it.each([
    [cancelRequested, 'Cancellation requested'],
    [deadlinePassed, 'Expired, cleaning up'],
  ])('says that a task is on its way to its end, and what it does there', (over, headline) => {
    expect(toDetailedTask(after(over))).toMatchObject({ status: 'working', statusMessage: headline });
    expect(toDetailedTask(after({ type: 'reported', message: 'undoing' }, over)).statusMessage).toBe(
      `${headline} (undoing)`,
    );
  });
});
