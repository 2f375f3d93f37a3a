import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IDEMPOTENCY_KEY_META } from '../../../../protocol/extension.ts';
import type { Caller } from '../../../../server/caller.ts';
import type { LimitsConfig } from '../../../../server/limits/config.ts';
import { createLimits, type Limits } from '../../../../server/limits/limits.ts';
import type { LimitedMessage } from '../../../../server/limits/use-of.ts';
import type { LimitName } from '../../../../server/metrics.ts';
import { createRequestStates, type RequestState, type StatedCall } from '../../../../server/request-state.ts';
import { createToolContracts } from '../../../../server/tool-contract.ts';
import { eventually } from '../../../support/eventually.ts';
import { envelope } from '../../../support/mcp-request.ts';
import { testCaller } from '../../../support/test-caller.ts';
import { testCatalog } from '../../../support/test-front.ts';

const ADA = testCaller('a'.repeat(32));
const BOB = testCaller('b'.repeat(32));
/** Of a task of ADA. */
const KNOWN_KEY = 'ada-1';
const OVER = { calls: -31003, polls: -31004, openTasks: -31005 };

const requestStates = createRequestStates([Buffer.alloc(32, 7)]);

const counted: LimitName[] = [];
afterEach(() => void counted.splice(0));

/** `running`: what the index of tasks says of everybody, when it says anything. */
function limitsOf(config: Partial<LimitsConfig>, running: () => number = () => 0): Limits & { readonly asked: number } {
  let asked = 0;
  const limits = createLimits({
    config,
    contracts: createToolContracts(testCatalog),
    store: {
      async countOpen() {
        asked += 1;
        return running();
      },
      async hasKey({ principal }, key) {
        if (key === 'away') throw new Error('away');
        return principal === ADA.principal && key === KNOWN_KEY;
      },
    },
    requestStates,
    database: undefined,
    metrics: { countRefusal: (limit) => void counted.push(limit) },
  });
  return {
    ...limits,
    get asked() {
      return asked;
    },
  };
}

const call = (name: string, more: object = {}): LimitedMessage => ({ method: 'tools/call', params: { name, ...more } });

const listen = (taskIds: unknown): LimitedMessage => ({
  method: 'subscriptions/listen',
  params: { notifications: { taskIds } },
});

/** The codes of `times` requests, one after the other; 0 for what may go on. */
async function codes(limits: Limits, caller: Caller, message: LimitedMessage, times: number): Promise<number[]> {
  const all: number[] = [];
  for (let sent = 0; sent < times; sent += 1) all.push((await limits.refuse(caller, message))?.code ?? 0);
  return all;
}

describe('the limit of calls', () => {
  it('lets so many through in a minute, to each caller', async () => {
    const limits = limitsOf({ callsPerMinute: 2 });
    expect(await codes(limits, ADA, call('greet'), 3)).toEqual([0, 0, OVER.calls]);
    expect(await codes(limits, BOB, call('no such tool'), 3)).toEqual([0, 0, OVER.calls]);
    expect(counted).toEqual(['calls', 'calls']);
  });

  it('says which limit it is and when to come back', async () => {
    const limits = limitsOf({ callsPerMinute: 1 });
    await codes(limits, ADA, call('greet'), 1);
    expect(await limits.refuse(ADA, call('greet'))).toEqual({
      code: OVER.calls,
      text: 'Too many tool calls: 1 a minute may come. Try again in 60 s.',
      retryAfterSeconds: 60,
    });
  });
});

describe('the limit of polls', () => {
  it.each([
    { method: 'tasks/get' },
    { method: 'tasks/result' },
    { method: 'tasks/list' },
    { method: 'resources/read' },
    { method: 'resources/list' },
    listen(['A'.repeat(22)]),
    listen('no array'),
    call('task_wait'),
    call('task_result'),
    call('my_tasks'),
  ])('holds for $method $params.name, and for all of them together', async (message) => {
    const limits = limitsOf({ pollsPerSecond: 1, callsPerMinute: 1 });
    expect(await codes(limits, ADA, message, 2)).toEqual([0, OVER.polls]);
    expect(await codes(limits, ADA, { method: 'tasks/get' }, 1)).toEqual([OVER.polls]);
    expect(await codes(limits, ADA, call('greet'), 1)).toEqual([0]);
    expect(await codes(limits, BOB, message, 1)).toEqual([0]);
  });

  it('counts every ten tasks that a request looks up, and no more than a tenth of what may come', async () => {
    const passedOf = async (message: LimitedMessage): Promise<number> =>
      (await codes(limitsOf({ pollsPerSecond: 200 }), ADA, message, 201)).filter((code) => code === 0).length;
    const ids = (count: number): string[] => Array.from({ length: count }, () => 'A'.repeat(22));
    const passed: number[] = [];
    for (const count of [0, 1, 10, 11, 100, 200, 1_000, 5_000]) passed.push(await passedOf(listen(ids(count))));
    expect(passed).toEqual([200, 200, 200, 100, 20, 10, 10, 10]);
    expect(await passedOf({ method: 'resources/list' })).toBe(20);
  });

  it('lets the largest subscription in however low it is, beside other reads', async () => {
    const limits = limitsOf({ pollsPerSecond: 5 });
    await codes(limits, ADA, { method: 'tasks/get' }, 4);
    expect(await codes(limits, ADA, listen(Array.from({ length: 1_000 }, String)), 2)).toEqual([0, OVER.polls]);
  });

  it('ends by itself after a second', async () => {
    const limits = limitsOf({ pollsPerSecond: 1 });
    await codes(limits, ADA, { method: 'tasks/get' }, 2);
    await eventually(async () => (await limits.refuse(ADA, { method: 'tasks/get' })) === undefined);
  });

  it.each([
    { method: 'tasks/cancel' },
    { method: 'tasks/update' },
    { method: 'tools/list' },
    { method: 'resources/templates/list' },
    call('task_cancel'),
    call('task_answer'),
  ])('never holds $method $params.name up, and neither does any other limit here', async (message) => {
    const limits = limitsOf({ pollsPerSecond: 1, callsPerMinute: 1, openTasks: 1 }, () => 1);
    await codes(limits, ADA, { method: 'tasks/get' }, 2);
    await codes(limits, ADA, call('order'), 2);
    expect(await codes(limits, ADA, message, 5)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('the limit of open tasks', () => {
  it('counts what this process lets start, and asks the index once it is reached', async () => {
    const limits = limitsOf({ openTasks: 100 }, () => 0);
    expect(await codes(limits, ADA, call('order'), 49)).not.toContain(OVER.openTasks);
    expect(limits.asked).toBe(1);
    expect((await codes(limits, ADA, call('order'), 52)).at(-1)).toBe(OVER.openTasks);
    expect(counted).toEqual(['open_tasks']);
  });

  it('counts what runs already, once the index has told', async () => {
    const limits = limitsOf({ openTasks: 10 }, () => 10);
    await eventually(async () => (await limits.refuse(ADA, call('required_job')))?.code === OVER.openTasks);
    expect(await limits.refuse(ADA, call('required_job'))).toMatchObject({
      text: 'Too many tasks are open: 10 may be. Finish or cancel one. Try again in 5 s.',
    });
  });

  it('opens again when tasks have ended', async () => {
    let running = 5;
    const limits = limitsOf({ openTasks: 5 }, () => running);
    await eventually(async () => (await limits.refuse(ADA, call('order')))?.code === OVER.openTasks);
    running = 0;
    await eventually(async () => (await limits.refuse(ADA, call('order'))) === undefined);
  });

  it('holds up no tool that starts none', async () => {
    const limits = limitsOf({ openTasks: 1 }, () => 1);
    await eventually(async () => (await limits.refuse(ADA, call('order')))?.code === OVER.openTasks);
    expect(await codes(limits, ADA, call('greet'), 1)).toEqual([0]);
  });

  describe('knows a call that goes on in its task by the state', () => {
    const args = { vendor: 'V', unit: 'piece' };
    const inTask = { kind: 'task', taskId: 'A'.repeat(22) } as const;
    const asking = { kind: 'asking', replies: {}, uselessRounds: 0 } as const;
    const sealed = (state: RequestState = inTask, more: Partial<StatedCall> = {}): string =>
      requestStates.seal({ caller: ADA, tool: 'order', args, ...more }, state);
    let limits: Limits;
    beforeEach(async () => {
      limits = limitsOf({ openTasks: 1 }, () => 1);
      await eventually(async () => (await limits.refuse(ADA, call('order')))?.code === OVER.openTasks);
    });
    const codeOf = async (requestState: unknown, more: object = {}): Promise<number> => {
      const message = call('order', { arguments: { vendor: 'V' }, _meta: envelope(), requestState, ...more });
      return (await limits.refuse(ADA, message))?.code ?? 0;
    };

    it('that was sealed for it', async () => {
      expect(await codeOf(sealed())).toBe(0);
    });

    it.each([
      ['is made up', () => 'sealed'],
      ['is no text', () => ({})],
      ['holds answers to what was asked before a task exists', () => sealed(asking)],
      ['belongs to another call', () => sealed(inTask, { args: { ...args, vendor: 'W' } })],
      ['belongs to another tool', () => sealed(inTask, { tool: 'required_job' })],
      ['belongs to another caller', () => sealed(inTask, { caller: BOB })],
    ])('and not by one that %s', async (_, state) => {
      expect(await codeOf(state())).toBe(OVER.openTasks);
    });

    it.each([
      ['comes without the envelope of its revision: there the state means nothing', { _meta: {} }],
      ['has arguments that do not fit', { arguments: { vendor: 7 } }],
      ['has none that could', { arguments: 'V' }],
      ['leaves them out', { arguments: undefined }],
    ])('and not when it %s', async (_, more) => {
      expect(await codeOf(sealed(), more)).toBe(OVER.openTasks);
    });
  });

  it('stops nobody while the index cannot be asked', async () => {
    const limits = limitsOf({ openTasks: 1 }, () => {
      throw new Error('away');
    });
    await codes(limits, ADA, call('order'), 1);
    await eventually(async () => (await limits.refuse(ADA, call('order'))) === undefined);
  });

  describe('lets a call through that repeats one', () => {
    let limits: Limits;
    beforeEach(async () => {
      limits = limitsOf({ openTasks: 1 }, () => 1);
      for (const caller of [ADA, BOB]) {
        await eventually(async () => (await limits.refuse(caller, call('order')))?.code === OVER.openTasks);
      }
      counted.length = 0;
    });
    const order = (key?: string): object => ({ arguments: { vendor: 'V', idempotencyKey: key } });
    const inMeta = (key: unknown): object => ({ ...order(), _meta: { [IDEMPOTENCY_KEY_META]: key } });
    const codeOf = async (caller: Caller, more: object, header?: string): Promise<number> =>
      (await limits.refuse(caller, call('order', more), header))?.code ?? 0;

    it('wherever its key stands', async () => {
      expect(await codeOf(ADA, order(KNOWN_KEY))).toBe(0);
      expect(await codeOf(ADA, inMeta(KNOWN_KEY))).toBe(0);
      expect(await codeOf(ADA, {}, `"${KNOWN_KEY}"`)).toBe(0);
      expect(counted).toEqual([]);
    });

    it('and no other: under a new key, a malformed one, two that differ, or one of somebody else', async () => {
      expect(await codeOf(ADA, order('new'))).toBe(OVER.openTasks);
      expect(await codeOf(ADA, inMeta(7))).toBe(OVER.openTasks);
      expect(await codeOf(ADA, order(KNOWN_KEY), 'another')).toBe(OVER.openTasks);
      expect(await codeOf(BOB, order(KNOWN_KEY))).toBe(OVER.openTasks);
      expect(await codeOf(ADA, order('away'))).toBe(OVER.openTasks);
      expect(counted).toHaveLength(5);
    });
  });
});
