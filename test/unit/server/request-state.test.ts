import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { REQUEST_STATE_TEXT } from '../../../server/errors.ts';
import { createRequestStates, type RequestState, type StatedCall } from '../../../server/request-state.ts';
import { createSealing } from '../../../server/sealing.ts';
import { testCaller } from '../../support/test-caller.ts';
import { verifies } from '../../support/verifies.ts';

const secret = randomBytes(32);
const call: StatedCall = { caller: testCaller('a'.repeat(32)), tool: 'order', args: { vendor: 'V', lines: [1, 2] } };
const state: RequestState = { kind: 'task', taskId: 'A'.repeat(22) };

describe('a request state', () => {
  const states = createRequestStates([secret]);
  const refusal = (text: unknown, from: StatedCall = call, by = states): unknown => {
    try {
      return by.open(from, text);
    } catch (error) {
      return [(error as { code: number }).code, (error as Error).message];
    }
  };
  const REFUSED = [-32602, REQUEST_STATE_TEXT];

  it('opens for the same caller and call, whatever the order of the arguments, in any process', () => {
    const text = states.seal(call, state);
    const reordered = { ...call, args: { lines: [1, 2], vendor: 'V' } };
    expect(createRequestStates([secret]).open(reordered, text)).toEqual(state);
  });

  it('is another text each time, and shows nothing of what it holds', () => {
    const texts = [states.seal(call, state), states.seal(call, state)];
    expect(new Set(texts).size).toBe(2);
    for (const text of texts) {
      expect(text).toMatch(/^[\w-]+$/);
      expect(Buffer.from(text, 'base64url').toString('latin1')).not.toMatch(/task|AAAA|kind|order/);
    }
  });

  it('is refused with one error for another caller, tool or arguments, or under another secret', () => {
    verifies('mrtr.bind');
    const text = states.seal(call, state);
    expect(refusal(text, { ...call, caller: testCaller('b'.repeat(32)) })).toEqual(REFUSED);
    expect(refusal(text, { ...call, tool: 'order2' })).toEqual(REFUSED);
    expect(refusal(text, { ...call, args: { vendor: 'V', lines: [2, 1] } })).toEqual(REFUSED);
    expect(refusal(text, { ...call, args: {} })).toEqual(REFUSED);
    expect(refusal(text, call, createRequestStates([randomBytes(32)]))).toEqual(REFUSED);
  });

  it('is refused with the same error when any single bit of it is changed', () => {
    verifies('mrtr.state');
    const bytes = Buffer.from(states.seal(call, state), 'base64url');
    for (let index = 0; index < bytes.length * 8; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index >> 3]! ^= 1 << (index & 7);
      expect(refusal(changed.toString('base64url'))).toEqual(REFUSED);
    }
  });

  it('is refused with the same error when it is cut, extended, spelled otherwise or no state at all', () => {
    const text = states.seal(call, state);
    const cut = [...text].map((_, index) => text.slice(0, index));
    for (const odd of [
      ...cut,
      `${text}A`,
      `${text}-TAMPERED`,
      `${text}=`,
      ` ${text}`,
      `${text}\n`,
      7,
      {},
      null,
      true,
    ]) {
      expect(refusal(odd)).toEqual(REFUSED);
    }
  });

  it('is refused with the same error once it has expired', () => {
    const shortLived = createRequestStates([secret], 0);
    expect(refusal(shortLived.seal(call, state), call, shortLived)).toEqual(REFUSED);
  });
});

const ada = { principal: 'ada' };

describe('sealing', () => {
  it('does not open for another purpose', () => {
    const text = createSealing([secret], 'cursor').seal('x', ada, 2);
    expect(createSealing([secret], 'cursor').open(text, ada, 1)).toBe('x');
    expect(createSealing([secret], 'requestState').open(text, ada, 1)).toBeUndefined();
  });

  it('ends at the moment it names', () => {
    const sealing = createSealing([secret], 'cursor');
    expect([1, 2, 3].map((now) => sealing.open(sealing.seal('x', ada, 2), ada, now))).toEqual([
      'x',
      undefined,
      undefined,
    ]);
  });

  it('tells owner and context apart that would read the same when joined', () => {
    const sealing = createSealing([secret], 'cursor');
    const text = sealing.seal('x', { principal: 'a' }, 2, 'b');
    expect(sealing.open(text, { principal: 'a' }, 1, 'b')).toBe('x');
    expect(sealing.open(text, { principal: 'ab' }, 1)).toBeUndefined();
  });

  it('opens for the same owner after the key was replaced, as long as both keys are in the ring', () => {
    const next = randomBytes(32);
    const text = createSealing([secret], 'cursor').seal('x', { principal: 'old' }, 2);
    const owner = { principal: 'new', formerPrincipal: 'old' };
    expect(createSealing([next, secret], 'cursor').open(text, owner, 1)).toBe('x');
    expect(createSealing([next, secret], 'cursor').open(text, { principal: 'new' }, 1)).toBeUndefined();
    expect(createSealing([next], 'cursor').open(text, owner, 1)).toBeUndefined();
  });
});
