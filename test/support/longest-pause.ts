/** The longest time in which nothing else in this process had its turn while `run` did, as a share of all of it. */
export async function longestPause(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let [seenAt, longestMs] = [startedAt, 0];
  const look = (): void => {
    longestMs = Math.max(longestMs, performance.now() - seenAt);
    seenAt = performance.now();
  };
  const looking = setInterval(look, 1);
  await run();
  look();
  clearInterval(looking);
  return longestMs / (performance.now() - startedAt);
}
