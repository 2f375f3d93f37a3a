import { setMaxListeners } from 'node:events';

export interface Stop {
  readonly signal: AbortSignal;
  abort(): void;
}

/** Aborts with any of `reasons`, and leaves no listener behind on one that outlives it. */
export function stopOn(...reasons: readonly AbortSignal[]): Stop {
  const control = new AbortController();
  // One listener for each task or message that waits for it.
  setMaxListeners(0, control.signal);
  const abort = (): void => {
    for (const reason of reasons) reason.removeEventListener('abort', abort);
    control.abort();
  };
  for (const reason of reasons) reason.addEventListener('abort', abort);
  if (reasons.some((reason) => reason.aborted)) abort();
  return { signal: control.signal, abort };
}
