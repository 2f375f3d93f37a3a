import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decidedOf, type Approval } from '../../protocol/approval.ts';
import {
  fromSnapshot,
  next,
  seedState,
  statusOf,
  toSnapshot,
  type Outcome,
  type TaskEvent,
  type TaskState,
} from '../../protocol/task-state.ts';
import { toDetailedTask } from '../../protocol/detailed-task.ts';
import { isTerminal, type InputRequests } from '../../protocol/task.ts';
import { anApproval } from '../support/an-approval.ts';

const CREATED_AT = 1_800_000_000_000;
const TTL_MS = 1_000;
const start = seedState({ taskId: 't', createdAt: CREATED_AT, ttlMs: TTL_MS, pollIntervalMs: 10 });

/** Few keys, so that they meet again; some are names of the prototype. */
const key = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor');
const keys = fc.array(key, { maxLength: 4 });
/** Around creation and deadline, often at its very edge, and not in order: clocks differ. */
const moment = fc
  .oneof(fc.integer({ min: -200, max: 2_000 }), fc.constantFrom(TTL_MS - 1, TTL_MS, TTL_MS + 1))
  .map((offset) => CREATED_AT + offset);
const requests: fc.Arbitrary<InputRequests> = fc
  .array(fc.tuple(key, fc.string()), { maxLength: 3 })
  .map((entries) =>
    Object.fromEntries(entries.map(([name, message]) => [name, { method: 'elicitation/create', params: { message } }])),
  );
const outcome = fc.constantFrom<Outcome>(
  { status: 'completed', result: { content: [] } },
  { status: 'failed', error: { code: -32603, message: 'no' } },
  { status: 'cancelled' },
);
const status = fc.constantFrom<Outcome['status']>('completed', 'failed', 'cancelled');

const event: fc.Arbitrary<TaskEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('asked' as const), at: moment, requests }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('answered' as const), at: moment, receivedAt: moment, keys }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('withdrawn' as const), at: moment, keys }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reported' as const), at: moment, message: fc.string() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('extended' as const),
      at: moment,
      byMs: fc.integer({ min: -100, max: 1_000 }),
      maxTtlMs: fc.integer({ min: 0, max: 3_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancelRequested' as const), at: moment }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('deadlinePassed' as const), at: moment }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('settling' as const), at: moment, status, digest: fc.string() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('ended' as const),
      at: moment,
      outcome,
      resultRetentionMs: fc.integer({ min: 1_000, max: 5_000 }),
    }),
  },
);

/** Few ids, so that they meet again. */
const approvalId = fc.constantFrom('p', 'q', 'r');
const approvalEvent: fc.Arbitrary<TaskEvent> = fc.oneof(
  fc.record({ type: fc.constant('approvalOpen' as const), at: moment, approval: approvalId.map(approvalNamed) }),
  fc.record({
    type: fc.constant('approvalDecided' as const),
    at: moment,
    decided: fc
      .tuple(approvalId, fc.constantFrom('approved' as const, 'rejected' as const, 'expired' as const))
      .map(([id, result]) => decidedOf(approvalNamed(id), result, CREATED_AT)),
  }),
);
const events = fc.array(fc.oneof({ weight: 5, arbitrary: event }, { weight: 1, arbitrary: approvalEvent }), {
  maxLength: 40,
});

function approvalNamed(id: string): Approval {
  return anApproval({ id });
}

interface Step {
  readonly before: TaskState;
  readonly event: TaskEvent;
  readonly after: TaskState;
}

function stepsOf(sequence: readonly TaskEvent[]): readonly Step[] {
  const steps: Step[] = [];
  let state = start;
  for (const each of sequence) {
    const after = next(state, each);
    steps.push({ before: state, event: each, after });
    state = after;
  }
  return steps;
}

function forEveryStep(check: (step: Step) => void): void {
  fc.assert(
    fc.property(events, (sequence) => {
      stepsOf(sequence).forEach(check);
    }),
    { numRuns: 1_000 },
  );
}

/** A matcher of Jest costs more than all that leads to it, and there are half a million of them here. */
function mustBe(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected);
}
function mustEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

function isOver({ ending, settling, outcome: end }: TaskState): boolean {
  return ending !== undefined || settling !== undefined || end !== undefined;
}

describe('next', () => {
  it('I1: a terminal status is absorbing', () => {
    forEveryStep(({ before, after }) => {
      if (isTerminal(statusOf(before))) mustBe(after, before);
    });
  });

  it('I2: input_required if and only if a request is outstanding and the task is not terminal', () => {
    forEveryStep(({ after }) => {
      const isAsking = after.outcome === undefined && Object.keys(after.requests).length > 0;
      mustBe(statusOf(after) === 'input_required', isAsking);
      mustBe('inputRequests' in toDetailedTask(after), isAsking);
    });
  });

  it('I3: a key that has been closed is never outstanding again, and a key never changes its request', () => {
    forEveryStep(({ before, after }) => {
      for (const [name, request] of Object.entries(after.requests)) {
        mustBe(after.closedKeys.includes(name), false);
        if (Object.hasOwn(before.requests, name)) mustBe(request, before.requests[name]);
      }
      mustEqual(after.closedKeys.slice(0, before.closedKeys.length), before.closedKeys);
      mustBe(new Set(after.closedKeys).size, after.closedKeys.length);
    });
  });

  it('I4: a response whose keys are all not outstanding changes nothing', () => {
    forEveryStep(({ before, event: each, after }) => {
      if (each.type !== 'answered' || each.keys.some((name) => Object.hasOwn(before.requests, name))) return;
      mustBe(after, before);
    });
  });

  it('I4: a response closes its outstanding keys and leaves the others', () => {
    forEveryStep(({ before, event: each, after }) => {
      if (each.type !== 'answered' || after === before) return;
      const left = Object.keys(before.requests).filter((name) => !each.keys.includes(name));
      mustEqual(Object.keys(after.requests), left);
    });
  });

  it('I5: lastUpdatedAt never decreases and createdAt never changes', () => {
    forEveryStep(({ before, after }) => {
      mustBe(after.lastUpdatedAt >= before.lastUpdatedAt, true);
      mustBe(after.createdAt, CREATED_AT);
    });
  });

  it('I6: a result exactly when completed, an error exactly when failed', () => {
    forEveryStep(({ after }) => {
      const task = toDetailedTask(after);
      mustBe('result' in task, task.status === 'completed');
      mustBe('error' in task, task.status === 'failed');
    });
  });

  it('I7: an answer received at or after the deadline changes nothing', () => {
    forEveryStep(({ before, event: each, after }) => {
      if (each.type === 'answered' && each.receivedAt >= before.deadlineAt) mustBe(after, before);
    });
  });

  it('I7: after a cancel, the deadline or settling no question, answer, extension, cancel or deadline counts', () => {
    const late = new Set<TaskEvent['type']>(['asked', 'answered', 'extended', 'cancelRequested', 'deadlinePassed']);
    forEveryStep(({ before, event: each, after }) => {
      if (isOver(before) && late.has(each.type)) mustBe(after, before);
    });
  });

  it('nothing is outstanding once the task is on its way to its end', () => {
    forEveryStep(({ after }) => {
      if (isOver(after)) mustEqual([Object.keys(after.requests), after.approvals ?? []], [[], []]);
    });
  });

  it('A4: an approval is decided once, with one result, and is open before and never after', () => {
    forEveryStep(({ before, after }) => {
      const open = (after.approvals ?? []).map(({ id }) => id);
      const decided = (after.decided ?? []).map(({ id }) => id);
      mustBe(new Set([...open, ...decided]).size, open.length + decided.length);
      mustEqual((after.decided ?? []).slice(0, before.decided?.length ?? 0), before.decided ?? []);
      const fresh = decided.slice(before.decided?.length ?? 0);
      const wasOpen = (before.approvals ?? []).map(({ id }) => id);
      mustBe(
        fresh.every((id) => wasOpen.includes(id)),
        true,
      );
    });
  });

  it('pollIntervalMs is whole, never below what the tool says, and longer only while somebody is waited for', () => {
    forEveryStep(({ after }) => {
      const { pollIntervalMs, status: shown } = toDetailedTask(after);
      mustBe(Number.isInteger(pollIntervalMs), true);
      mustBe(pollIntervalMs >= start.pollIntervalMs, true);
      if (isTerminal(shown) || isOver(after)) mustBe(pollIntervalMs, start.pollIntervalMs);
      if (shown === 'input_required') mustBe(pollIntervalMs >= 5_000, true);
    });
  });

  it('rev grows by one with a change and stays without one', () => {
    forEveryStep(({ before, after }) => {
      mustBe(after.rev, after === before ? before.rev : before.rev + 1);
    });
  });

  it('the deadline is the creation plus the ttl until the task ends, and never moves back', () => {
    forEveryStep(({ before, after }) => {
      mustBe(after.deadlineAt >= before.deadlineAt, true);
      if (after.outcome === undefined) mustBe(after.deadlineAt - CREATED_AT, after.ttlMs);
    });
  });
});

describe('folding answers into a snapshot', () => {
  const answer = fc.record({ type: fc.constant('answered' as const), at: moment, receivedAt: moment, keys });

  it('shows a reader what the workflow will show, wherever the snapshot was cut', () => {
    fc.assert(
      fc.property(events, fc.array(answer, { maxLength: 6 }), (sequence, answers) => {
        const state = stepsOf(sequence).at(-1)?.after ?? start;
        const decided = answers.reduce<TaskState>(next, state);
        const folded = answers.reduce<TaskState>(next, fromSnapshot(toSnapshot(state)));
        expect(toSnapshot(folded)).toEqual(toSnapshot(decided));
      }),
      { numRuns: 1_000 },
    );
  });

  it('leaves the same requests in whatever order timely answers are folded', () => {
    fc.assert(
      fc.property(
        events,
        fc.array(answer, { maxLength: 5 }),
        fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
        (sequence, answers, ranks) => {
          const state = stepsOf(sequence).at(-1)?.after ?? start;
          const shuffled = answers
            .map((each, index) => ({ each, rank: ranks[index] ?? 0 }))
            .sort((left, right) => left.rank - right.rank)
            .map(({ each }) => each);
          const [one, other] = [answers, shuffled].map((order) => order.reduce<TaskState>(next, state));
          expect(one?.requests).toEqual(other?.requests);
          expect(one?.lastUpdatedAt).toBeGreaterThanOrEqual(state.lastUpdatedAt);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
