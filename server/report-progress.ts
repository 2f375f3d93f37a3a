const PROGRESS_INTERVAL_MS = 5_000;

export interface Progress {
  /** Set when the client asked for progress. */
  readonly onProgress?: (step: number, message: string | undefined) => Promise<void>;
  /** How often. Default 5,000. */
  readonly progressIntervalMs?: number | undefined;
}

/**
 * Reports at every interval what `readMessage` says then, which also keeps the connection alive; nothing when nobody asked
 * for progress. A message that cannot be read or told is left out. Call what it returns to end it: nothing is told after that.
 */
export function reportProgress(
  { onProgress, progressIntervalMs = PROGRESS_INTERVAL_MS }: Progress,
  readMessage: () => Promise<string | undefined>,
): () => void {
  if (onProgress === undefined) return () => undefined;
  let step = 0;
  let isEnded = false;
  let isReading = false;
  const report = async (): Promise<void> => {
    const message = await readMessage();
    if (isEnded) return;
    step += 1;
    await onProgress(step, message);
  };
  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    // A client that is gone ends the wait by its signal, and an outage by the wait itself.
    void report()
      .catch(() => undefined)
      .finally(() => {
        isReading = false;
      });
  }, progressIntervalMs);
  return () => {
    isEnded = true;
    clearInterval(timer);
  };
}
