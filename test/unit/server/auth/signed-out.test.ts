import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { openGate, type Gate } from '../../../../server/auth/gate.ts';
import { signedOutSignal } from '../../../../server/auth/signed-out.ts';
import type { Caller } from '../../../../server/caller.ts';
import { eventually } from '../../../support/eventually.ts';
import { testCaller } from '../../../support/test-caller.ts';

const NOBODY = testCaller('0'.repeat(32));
const SIGNED_IN: Caller = { ...NOBODY, scopes: new Set(['tasks:read']) };
const OFTEN_MS = 10;
const NEVER_MS = 3_600_000;

interface Watched {
  readonly signal: AbortSignal;
  /** What the gate says from now on. */
  answer: boolean | 'failing';
  readonly askedCount: () => number;
  /** The stream is over. */
  close(): void;
}

function watch(caller: Caller, checkEveryMs: number): Watched {
  const response = Object.assign(new EventEmitter(), { req: { socket: new EventEmitter() } });
  let askedCount = 0;
  const gate: Gate = {
    ...openGate(caller),
    isStillGood() {
      askedCount += 1;
      const { answer } = watched;
      return answer === 'failing' ? Promise.reject(new Error('no answer')) : Promise.resolve(answer);
    },
  };
  const request = { rawHeaders: [], socket: { remoteAddress: '::1' } };
  const stream = { request, response: response as unknown as ServerResponse };
  const watched: Watched = {
    signal: signedOutSignal(gate, caller, stream, checkEveryMs),
    answer: true,
    askedCount: () => askedCount,
    close: () => response.emit('close'),
  };
  return watched;
}

describe('signedOutSignal', () => {
  it('aborts once the credential is refused, and asks no more', async () => {
    const watched = watch(SIGNED_IN, OFTEN_MS);
    await eventually(() => watched.askedCount() >= 3);
    expect(watched.signal.aborted).toBe(false);
    watched.answer = false;
    await eventually(() => watched.signal.aborted);
    const asked = watched.askedCount();
    const other = watch(SIGNED_IN, OFTEN_MS);
    await eventually(() => other.askedCount() >= 3);
    other.close();
    expect(watched.askedCount()).toBe(asked);
  });

  it.each([true, 'failing'] as const)(
    'aborts when the credential expires, before the next regular check, whatever is said of it: %j',
    async (answer) => {
      const watched = watch({ ...SIGNED_IN, expiresAt: Date.now() + 50 }, NEVER_MS);
      watched.answer = answer;
      expect(watched.signal.aborted).toBe(false);
      await eventually(() => watched.signal.aborted);
    },
  );

  it('waits for an end that is farther away than a timer can reach', async () => {
    const watched = watch({ ...SIGNED_IN, expiresAt: Number.MAX_SAFE_INTEGER }, OFTEN_MS);
    await eventually(() => watched.askedCount() >= 3);
    expect(watched.signal.aborted).toBe(false);
    watched.close();
  });

  it('goes on while nobody can tell', async () => {
    const watched = watch(SIGNED_IN, OFTEN_MS);
    watched.answer = 'failing';
    await eventually(() => watched.askedCount() >= 3);
    expect(watched.signal.aborted).toBe(false);
    watched.close();
  });

  it('asks no more once the stream is over', async () => {
    const [closed, open] = [watch(SIGNED_IN, OFTEN_MS), watch(SIGNED_IN, OFTEN_MS)];
    closed.close();
    const asked = closed.askedCount();
    await eventually(() => open.askedCount() >= 3);
    open.close();
    expect(closed.askedCount()).toBe(asked);
  });

  it('never asks about somebody who did not have to sign in', async () => {
    const [local, open] = [watch(NOBODY, OFTEN_MS), watch(SIGNED_IN, OFTEN_MS)];
    await eventually(() => open.askedCount() >= 3);
    open.close();
    expect([local.askedCount(), local.signal.aborted]).toEqual([0, false]);
  });
});
