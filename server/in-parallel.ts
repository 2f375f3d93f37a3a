/** All results in order, with at most `width` calls on their way. The first failure ends it. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  call: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let taken = 0;
  const take = async (): Promise<void> => {
    while (taken < items.length) {
      const index = taken;
      taken += 1;
      results[index] = await call(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, take));
  return results;
}
