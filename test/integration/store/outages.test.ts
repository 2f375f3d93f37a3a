import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { ApiKeys } from '../../../store/api-keys.ts';
import { migrate } from '../../../store/migrate.ts';
import { openDatabase, type Database } from '../../../store/postgres.ts';
import { StoreDown } from '../../../store/store-down.ts';
import { eventually } from '../../support/eventually.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { patiently } from '../../support/patience.js';

const TEST_MS = 120_000;
const WRITER_COUNT = 8;
const ANSWER_WITHIN_MS = 4_000;
const UNTIL_RECOVERED_MS = 30_000;

describe.each(postgresKinds)('a database that goes away, on $name', (kind) => {
  let postgres: TestPostgres;
  let database: Database;
  let keys: ApiKeys;
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);

  beforeEach(async () => {
    process.on('uncaughtException', note);
    postgres = await startPostgres(kind);
    const url = await postgres.emptyDatabase();
    await migrate(url);
    database = openDatabase(url, { maxConnections: 5, answerWithinMs: ANSWER_WITHIN_MS });
    keys = new ApiKeys(database.db, randomBytes(32));
  }, TEST_MS);

  afterEach(async () => {
    await database.close();
    process.off('uncaughtException', note);
    expect(uncaught.splice(0)).toEqual([]);
  });

  /** Two keys for one subject, or none. */
  function createPair(subject: string): Promise<void> {
    const wanted = { environment: 'test', subject, scopes: [] };
    return database.db.transaction().execute(async (transaction) => {
      const inside = new ApiKeys(transaction, randomBytes(32));
      await inside.create(wanted);
      await inside.create(wanted);
    });
  }

  it(
    'is killed under load: what was acknowledged is there, nothing is there by half, and all goes on by itself',
    async () => {
      const acknowledged = new Set<string>();
      const failures: unknown[] = [];
      let isOver = false;
      const write = async (writer: number): Promise<void> => {
        for (let round = 0; !isOver; round += 1) {
          const subject = `${String(writer)}-${String(round)}`;
          await createPair(subject).then(
            () => acknowledged.add(subject),
            (error: unknown) => failures.push(error),
          );
          await setImmediate();
        }
      };
      const writers = Array.from({ length: WRITER_COUNT }, (_, writer) => write(writer));

      await eventually(() => acknowledged.size > 20, UNTIL_RECOVERED_MS);
      postgres.signal('SIGKILL');
      await postgres.ended();
      await eventually(() => failures.length > WRITER_COUNT);
      const beforeRestart = acknowledged.size;
      await restarted();
      await eventually(() => acknowledged.size > beforeRestart + 20, UNTIL_RECOVERED_MS);
      isOver = true;
      await Promise.all(writers);

      expect(failures.filter((error) => !(error instanceof StoreDown))).toEqual([]);
      const { rows } = await sql<{ subject: string; count: number }>`
        select subject, count(*)::int as count from api_keys group by subject`.execute(database.db);
      expect(rows.filter(({ count }) => count !== 2)).toEqual([]);
      const stored = new Set(rows.map(({ subject }) => subject));
      expect([...acknowledged].filter((subject) => !stored.has(subject))).toEqual([]);
    },
    TEST_MS,
  );

  /** The processes of its connections may outlive the killed server for a moment, and it refuses to start beside them. */
  async function restarted(): Promise<void> {
    await eventually(() => postgres.restart(), UNTIL_RECOVERED_MS);
  }

  it(
    'freezes: a query fails in time, and the next one does not wait behind the frozen connection',
    async () => {
      await Promise.all(Array.from({ length: 5 }, () => keys.list()));
      // Server processes that stand still, as on a frozen machine; a new connection gets a new one.
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where application_name = 'durable-mcp-tasks' and pid <> pg_backend_pid()`.execute(database.db);
      expect(rows).toHaveLength(4);
      for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
      atScopeEnd(async () => {
        for (const { pid } of rows) process.kill(pid, 'SIGCONT');
      });
      const ask = async (number: number): Promise<number> => {
        const answer = await sql<{ n: number }>`select ${number}::int as n`.execute(database.db);
        return answer.rows[0]!.n;
      };

      const startedAt = performance.now();
      const asked = await Promise.allSettled(Array.from({ length: 5 }, (_, number) => ask(number)));
      expect(performance.now() - startedAt).toBeLessThan(patiently(10_000));
      const failed = asked.filter((result) => result.status === 'rejected');
      expect(failed).toHaveLength(4);
      expect(failed.filter(({ reason }) => !(reason instanceof StoreDown))).toEqual([]);

      const numbers = Array.from({ length: 20 }, (_, number) => number);
      expect(await Promise.all(numbers.map(ask))).toEqual(numbers);
    },
    TEST_MS,
  );

  it(
    'does not hold more connections than it was given, and gives them back',
    async () => {
      await Promise.all(Array.from({ length: 40 }, () => sql`select pg_sleep(0.01)`.execute(database.db)));
      expect(database.pool.totalCount).toBeLessThanOrEqual(5);
      expect(database.pool.idleCount).toBe(database.pool.totalCount);
      await expect(sql`select pg_sleep(30)`.execute(database.db)).rejects.toBeInstanceOf(StoreDown);
    },
    TEST_MS,
  );
});
