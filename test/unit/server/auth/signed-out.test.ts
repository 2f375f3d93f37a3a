import { describe, expect, it } from '@jest/globals';
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
  /** What is said of the credential from now on. */
  answer: boolean | 'failing';
  readonly askedCount: () => number;
  /** The stream is over. */
  close(): void;
}

function watch(caller: Caller, checkEveryMs: number): Watched {
  const over = new AbortController();
  let askedCount = 0;
  const isStillGood = (): Promise<boolean> => {
    askedCount += 1;
    const { answer } = watched;
    return answer === 'failing' ? Promise.reject(new Error('no answer')) : Promise.resolve(answer);
  };
  const onceOver = (stop: () => void): void => over.signal.addEventListener('abort', stop);
  const watched: Watched = {
    signal: signedOutSignal({ caller, isStillGood, onceOver }, checkEveryMs),
    answer: true,
    askedCount: () => askedCount,
    close: () => over.abort(),
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
