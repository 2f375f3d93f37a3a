/**
 * A pool of connections that outlives its server: whatever a lost connection throws becomes a StoreDown, and a connection
 * that failed so is closed instead of being used again.
 */
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { StoreDown, toStoreDown } from './store-down.ts';

export function guardedPool(pool: Pool): PostgresPool {
  // Without listeners the end of an idle or of a working connection would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    connect: async () => guardedClient(await connect(pool)),
    end: () => pool.end(),
  };
}

/** Also a wrong password is a database that cannot be reached: there is nothing that a request could do about it. */
async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error: unknown) {
    throw new StoreDown({ cause: error });
  }
}

function guardedClient(client: PoolClient): PostgresPoolClient {
  let isLost = false;
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    try {
      return await client.query(text, values);
    } catch (error: unknown) {
      const told = toStoreDown(error);
      // After a timeout an answer may still come, and must not be taken for that of the next query.
      isLost ||= told instanceof StoreDown;
      throw told;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    release: (isUnusable) => {
      client.release(isUnusable === true || isLost);
    },
  };
}
