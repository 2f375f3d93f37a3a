/** When a stream's caller is taken for who they are no longer. */
import type { Caller } from '../caller.ts';

/** A revoked key, or a token whose issuer has withdrawn its own key, is noticed after this long. */
export const CHECK_EVERY_MS = 15_000;
/** What a timer can wait for; a later end is checked for anew. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface SignedInStream {
  readonly caller: Pick<Caller, 'expiresAt' | 'scopes'>;
  /** Whether the credential is good now; also while nobody can tell. */
  readonly isStillGood: () => Promise<boolean>;
  /** Calls `stop` when the stream is over. */
  readonly onceOver: (stop: () => void) => void;
}

/** Aborts when the credential has expired or is refused now. Looks no more once the stream is over. */
export function signedOutSignal(
  { caller: { expiresAt, scopes }, isStillGood, onceOver }: SignedInStream,
  checkEveryMs = CHECK_EVERY_MS,
): AbortSignal {
  const signedOut = new AbortController();
  // Nobody has signed in.
  if (scopes === 'all') return signedOut.signal;
  const isOver = (): boolean => expiresAt !== undefined && Date.now() >= expiresAt;
  // Also while nobody can tell whether the credential is good: that it has an end is known.
  const check = async (): Promise<void> => {
    if (isOver() || !(await isStillGood())) signedOut.abort();
  };
  const checkNow = (): void => void check().catch(() => undefined);
  const timers = [
    setInterval(checkNow, checkEveryMs),
    ...(expiresAt === undefined ? [] : [setTimeout(checkNow, Math.min(expiresAt - Date.now() + 1, MAX_TIMER_MS))]),
  ];
  const stop = (): void => {
    for (const timer of timers) clearTimeout(timer);
  };
  onceOver(stop);
  signedOut.signal.addEventListener('abort', stop, { once: true });
  return signedOut.signal;
}
