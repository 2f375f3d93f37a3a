/** Many rounds of one thing, some of them at the same time. */

/** Runs `round` for 0 to `count - 1`, `atOnce` of them at a time. @throws what the first round that fails throws */
export async function runRounds(count: number, atOnce: number, round: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await round(index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Does `act` again and again until `work` is over, and ends before this does. */
export async function meanwhile<T>(work: Promise<T>, act: (signal: AbortSignal) => Promise<void>): Promise<T> {
  const over = new AbortController();
  const acting = (async () => {
    while (!over.signal.aborted) await act(over.signal);
  })();
  try {
    return await work;
  } finally {
    over.abort();
    await acting;
  }
}
