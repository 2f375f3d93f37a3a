import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { withOwnAbort } from '../../../../server/temporal/own-abort.ts';

function aborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'));
  });
}

describe('an abort of its own', () => {
  it('comes with the signal it follows', async () => {
    const control = new AbortController();
    const ended = withOwnAbort({ signal: control.signal, afterMs: 20_000 }, aborted);
    control.abort();
    await expect(ended).resolves.toBe('aborted');
  });

  it('comes at once when that signal has aborted already', async () => {
    await expect(withOwnAbort({ signal: AbortSignal.abort() }, aborted)).resolves.toBe('aborted');
  });

  it('comes when the time is over', async () => {
    await expect(withOwnAbort({ afterMs: 10 }, aborted)).resolves.toBe('aborted');
  });

  it('leaves no listener on the signal it followed, whatever came of the work', async () => {
    const { signal } = new AbortController();
    await withOwnAbort({ signal }, async () => undefined);
    await withOwnAbort({ signal }, () => Promise.reject(new Error('failed'))).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
