import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TASKS_EXTENSION } from '../../../protocol/extension.ts';
import { REQUEST_STATE_TEXT } from '../../../server/errors.ts';
import { askingCatalog } from '../../support/asking-catalog.ts';
import type { McpAnswer, RpcResult } from '../../support/mcp-request.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront({}, askingCatalog);
});
afterAll(async () => front.front.drain());
beforeEach(() => front.store.entries.clear());

const FORMS = { elicitation: {} };
const TASKS_AND_FORMS = { ...FORMS, extensions: { [TASKS_EXTENSION]: {} } };

interface Round {
  readonly answers?: unknown;
  readonly state?: unknown;
  readonly capabilities?: unknown;
}
async function round(
  name: string,
  args: object,
  { answers, state, capabilities = FORMS }: Round = {},
): Promise<McpAnswer> {
  const retry = {
    ...(answers === undefined ? {} : { inputResponses: answers }),
    ...(state === undefined ? {} : { requestState: state }),
  };
  return front.post({ method: 'tools/call', params: { name, arguments: args, ...retry }, capabilities });
}
const accept = (content: object): object => ({ action: 'accept', content });
const asked = ({ inputRequests }: RpcResult): Record<string, string> =>
  Object.fromEntries(
    Object.entries(inputRequests as Record<string, { method: string; params: { message?: string } }>).map(
      ([key, { method, params }]) => [key, params.message ?? method],
    ),
  );
const textOf = ({ body }: McpAnswer): string => body.result.content[0].text;
const created = (): unknown[] => [...front.store.entries.values()].map(({ call }) => call.args);

describe('a tool that asks first', () => {
  it('answers its questions and a state, and makes no task', async () => {
    verifies('create.mrtr-first');
    const { status, body } = await round('book', { room: 'R' });
    const { _meta, requestState, ...rest } = body.result;
    expect([status, rest]).toEqual([
      200,
      {
        resultType: 'input_required',
        inputRequests: {
          nights: {
            method: 'elicitation/create',
            params: {
              mode: 'form',
              message: 'How many nights?',
              requestedSchema: {
                type: 'object',
                properties: { nights: { type: 'integer', minimum: 1 } },
                required: ['nights'],
              },
            },
          },
          breakfast: expect.objectContaining({ method: 'elicitation/create' }),
        },
      },
    ]);
    expect(requestState).toEqual(expect.any(String));
    expect(created()).toEqual([]);
  });

  it('makes the task once all is answered, with the answers among the arguments', async () => {
    const first = await round('book', { room: 'R' }, { capabilities: TASKS_AND_FORMS });
    const { body } = await round(
      'book',
      { room: 'R' },
      {
        capabilities: TASKS_AND_FORMS,
        state: first.body.result.requestState,
        answers: { nights: accept({ nights: 2 }), breakfast: accept({ breakfast: false }), other: accept({}) },
      },
    );
    expect(body.result.resultType).toBe('task');
    expect(body.result).not.toHaveProperty('requestState');
    expect(body.result).not.toHaveProperty('inputRequests');
    expect(created()).toEqual([{ room: 'R', nights: 2, breakfast: false }]);
  });

  it('asks nothing when the arguments are complete', async () => {
    await round('book', { room: 'R', nights: 1, breakfast: true });
    expect(created()).toEqual([{ room: 'R', nights: 1, breakfast: true }]);
  });

  it('asks again for what is missing and for what does not fit, and keeps what did', async () => {
    verifies('mrtr.bind');
    const first = await round('book', { room: 'R' });
    const second = await round(
      'book',
      { room: 'R' },
      { state: first.body.result.requestState, answers: { breakfast: accept({ breakfast: true }) } },
    );
    expect(asked(second.body.result)).toEqual({ nights: 'How many nights?' });
    const third = await round(
      'book',
      { room: 'R' },
      { state: second.body.result.requestState, answers: { nights: accept({ nights: 0 }) } },
    );
    expect(asked(third.body.result)).toEqual({
      nights: 'The last answer could not be used: nights must be at least 1. How many nights?',
    });
    expect(created()).toEqual([]);
    await round(
      'book',
      { room: 'R' },
      { state: third.body.result.requestState, answers: { nights: accept({ nights: 3 }) } },
    );
    expect(created()).toEqual([{ room: 'R', nights: 3, breakfast: true }]);
  });

  it.each<unknown>([12_345, 'x', null, { result: accept({ nights: 2 }) }, { constructor: accept({ nights: 2 }) }])(
    'asks again after the malformed answer %j',
    async (odd) => {
      const first = await round('book', { room: 'R', breakfast: true });
      const again = await round(
        'book',
        { room: 'R', breakfast: true },
        { state: first.body.result.requestState, answers: { nights: odd } },
      );
      expect(asked(again.body.result)['nights']).toContain('The last answer could not be used');
    },
  );

  it.each([null, [], 'x', 7])('takes inputResponses that are %j for none', async (answers) => {
    expect((await round('book', { room: 'R' }, { answers })).body.result.resultType).toBe('input_required');
  });

  it('takes a first answer that comes without the state', async () => {
    const { body } = await round('at_once', {}, { answers: { name: accept({ name: 'Ada' }), unknown: 1 } });
    expect(body.result.content[0].text).toBe('Hello, Ada of nowhere!');
  });

  it('gives up after four useless answers, as a tool error', async () => {
    let state: unknown;
    const results: unknown[] = [];
    for (let count = 0; count < 4; count += 1) {
      const { body } = await round(
        'always_a_task',
        {},
        { capabilities: TASKS_AND_FORMS, state, answers: { name: {} } },
      );
      state = body.result.requestState;
      results.push(body.result.isError ?? body.result.resultType);
    }
    expect(results).toEqual(['input_required', 'input_required', 'input_required', true]);
    expect(created()).toEqual([]);
  });

  it('leaves it to the tool what a refusal means, and never asks a question twice that was answered', async () => {
    const declined = await round(
      'book',
      { room: 'R', breakfast: true },
      { answers: { nights: { action: 'decline' } } },
    );
    expect([declined.body.result.isError, textOf(declined)]).toEqual([
      true,
      'Nothing was started: "How many nights?" was not answered as the tool needs it. Call the tool again.',
    ]);
    const cancelled = await round(
      'book',
      { room: 'R', breakfast: true },
      { answers: { nights: { action: 'cancel' } } },
    );
    expect([cancelled.body.result.isError, textOf(cancelled)]).toEqual([true, 'Nothing was booked.']);
    expect(created()).toEqual([]);
  });

  it('asks in as many rounds as it takes, and only for what the client can answer', async () => {
    verifies('mrtr.kinds');
    const capabilities = { ...FORMS, roots: {} };
    const first = await round('at_once', {}, { capabilities });
    const second = await round(
      'at_once',
      {},
      { capabilities, state: first.body.result.requestState, answers: { name: accept({ name: 'Ada' }) } },
    );
    expect(asked(second.body.result)).toEqual({ root: 'roots/list' });
    expect(second.body.result.requestState).not.toBe(first.body.result.requestState);
    const third = await round(
      'at_once',
      {},
      { capabilities, state: second.body.result.requestState, answers: { root: { roots: [{ uri: 'file:///a' }] } } },
    );
    expect(textOf(third)).toBe('Hello, Ada of file:///a!');
  });

  it.each([
    ['nothing', {}],
    ['URL elicitation only', { elicitation: { url: {} } }],
  ])('names the arguments to pass to a client that declares %s', async (_, capabilities) => {
    const answer = await round('book', { room: 'R', breakfast: true }, { capabilities });
    expect([answer.body.result.isError, textOf(answer)]).toEqual([true, expect.stringContaining('needs nights')]);
    expect(created()).toEqual([]);
  });

  it('does not take a malformed capability for a declared one', async () => {
    const { status, body } = await round('book', { room: 'R' }, { capabilities: { elicitation: true } });
    expect([status, body.error?.code]).toEqual([400, -32602]);
    expect(created()).toEqual([]);
  });

  it('names the arguments to pass to a client of an older revision', async () => {
    const response = await fetch(front.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'book', arguments: { room: 'R', nights: 1 } },
      }),
    });
    expect(await response.text()).toContain('needs breakfast');
    expect(created()).toEqual([]);
  });

  it('asks nobody for a call that cannot be served', async () => {
    const { status, body } = await round('always_a_task', {});
    expect([status, body.error?.code]).toEqual([400, -32021]);
  });
});

describe('the state of a multi round trip', () => {
  const REFUSED = [200, { code: -32602, message: REQUEST_STATE_TEXT }, 0];
  async function sent(state: unknown, name = 'book', args: object = { room: 'R' }): Promise<unknown> {
    const { status, body } = await round(name, args, { state, answers: { nights: accept({ nights: 1 }) } });
    return [status, body.error, created().length];
  }

  it('is refused alike when it is tampered with, cut, made for another call, or none', async () => {
    verifies('mrtr.state');
    const { requestState } = (await round('book', { room: 'R' })).body.result;
    const text = String(requestState);
    const other = text.startsWith('A') ? 'B' : 'A';
    for (const odd of [`${text}-TAMPERED`, `${other}${text.slice(1)}`, text.slice(0, -4), '', 'x', 7, {}, null, []]) {
      expect(await sent(odd)).toEqual(REFUSED);
    }
    expect(await sent(text, 'book', { room: 'S' })).toEqual(REFUSED);
    expect(await sent(text, 'at_once', {})).toEqual(REFUSED);
    expect(await sent(text, 'work', { what: 'x' })).toEqual(REFUSED);
  });

  it('is refused once it has expired', async () => {
    verifies('mrtr.bind');
    const shortLived = await startTestFront({ requestStateTtlMs: 0 }, askingCatalog);
    const first = await shortLived.call('book', { room: 'R' }, { capabilities: FORMS });
    await shortLived.front.drain();
    expect(await sent(first.body.result.requestState)).toEqual(REFUSED);
  });

  it('is refused at a server with another secret', async () => {
    const elsewhere = await startTestFront({ principalRing: [Buffer.alloc(32, 8)] }, askingCatalog);
    const first = await elsewhere.call('book', { room: 'R' }, { capabilities: FORMS });
    await elsewhere.front.drain();
    expect(await sent(first.body.result.requestState)).toEqual(REFUSED);
  });

  it('used twice makes the same call twice, and a key makes it one task', async () => {
    verifies('mrtr.state');
    const args = { room: 'R', breakfast: true };
    const { requestState } = (await round('book', args)).body.result;
    const again = async (): Promise<McpAnswer> =>
      front.post({
        method: 'tools/call',
        params: { name: 'book', arguments: args, requestState, inputResponses: { nights: accept({ nights: 1 }) } },
        headers: { 'idempotency-key': 'k-1' },
      });
    const ids = [await again(), await again()].map(({ body }) => body.result.taskId);
    expect(new Set(ids).size).toBe(1);
  });
});
