/**
 * Runs with a signal of its own, which aborts with `signal` or after `afterMs`, and is done with when `run` ends.
 *
 * `AbortSignal.any` is not that: in Node 20 a combined signal that somebody listens to stays in memory, with the call
 * that listens, when none of its sources ever aborts.
 */
export async function withOwnAbort<T>(
  { signal, afterMs }: { readonly signal?: AbortSignal | undefined; readonly afterMs?: number },
  run: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const control = new AbortController();
  const abort = (): void => control.abort();
  const timer = afterMs === undefined ? undefined : setTimeout(abort, afterMs);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  try {
    return await run(control.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
