import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** Counts a use of `key`, or as many as it weighs. @returns for how many ms nothing more may come; 0: it may go on */
export async function msOverLimit(counter: RateLimiterAbstract, key: string, points = 1): Promise<number> {
  try {
    await counter.consume(key, points);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(error.msBeforeNext, 1);
    throw error;
  }
}
