/**
 * Counts per window, over all fronts that share a database. Without one, and while it is away, each front counts for
 * itself: a limit that nobody can look up stops nobody.
 */
import pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { RATE_LIMITS_TABLE } from '../../store/rate-limits-table.ts';
import { StoreDown } from '../../store/store-down.ts';
import { within } from '../within.ts';

export interface Window {
  /** Tells the keys of one limit from those of another. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** As much of a store as is used. */
export interface LimitsDatabase {
  readonly pool: pg.Pool;
}

/** A call waits for its count: a database that is slower than this counts as away. */
const ANSWER_WITHIN_MS = 1_000;
/** How long a database that was away is not asked again. */
const REST_MS = 5_000;

export function createSharedCounter(
  { name, points, seconds }: Window,
  database: LimitsDatabase | undefined,
): RateLimiterAbstract {
  const window = { keyPrefix: name, points, duration: seconds };
  const memory = new RateLimiterMemory(window);
  if (database === undefined) return memory;
  return new RateLimiterPostgres({
    ...window,
    storeClient: cautiousClient(database.pool),
    storeType: 'client',
    tableName: RATE_LIMITS_TABLE,
    // By the migrations of the store; until then counting fails, and memory counts.
    tableCreated: true,
    // Whoever is over the limit costs no query until the window ends.
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: memory,
  });
}

/** The pool, as the limiter asks it: never for long, and not at all while it is known to be away. */
function cautiousClient(pool: pg.Pool): { query(config: pg.QueryConfig): Promise<pg.QueryResult> } {
  let restsUntil = 0;
  return {
    async query(config) {
      if (performance.now() < restsUntil) throw new StoreDown();
      try {
        // The store reads int8 as BigInt, with which the limiter cannot reckon.
        return await within(ANSWER_WITHIN_MS, pool.query({ ...config, types: pg.types }));
      } catch (error) {
        restsUntil = performance.now() + REST_MS;
        throw error;
      }
    },
  };
}
