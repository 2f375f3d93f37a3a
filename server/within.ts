/** The outcome of `work`, which goes on unheard when it takes longer. @throws when `budgetMs` is over first */
export async function within<T>(budgetMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), budgetMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
