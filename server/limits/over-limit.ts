import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** Counts one use of `key`. @returns for how many ms nothing more may come; 0: it may go on */
export async function msOverLimit(counter: RateLimiterAbstract, key: string): Promise<number> {
  try {
    await counter.consume(key);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(error.msBeforeNext, 1);
    throw error;
  }
}
