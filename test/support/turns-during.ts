/** How often others had their turn while `run` did: heartbeats and timers of the same process wait for that. */
export async function turnsDuring(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const takeTurns = (): void => {
    turns += 1;
    if (isRunning) setImmediate(takeTurns);
  };
  setImmediate(takeTurns);
  await run();
  isRunning = false;
  return turns;
}
