/** Limits that fronts share through a real database, and what is left of them when it is gone. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createFront } from '../../../server/front.ts';
import type { FailedSignIns } from '../../../server/auth/authenticate.ts';
import { createFailedSignIns } from '../../../server/limits/failed-sign-ins.ts';
import type { LimitsConfig } from '../../../server/limits/config.ts';
import { migrate } from '../../../store/migrate.ts';
import { openDatabase, type Database } from '../../../store/postgres.ts';
import { eventually } from '../../support/eventually.ts';
import { post } from '../../support/mcp-request.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { createTestServing } from '../../support/test-front.ts';
import { patiently } from '../../support/patience.js';

const TEST_MS = 60_000;

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres(postgresKinds[0]!);
}, TEST_MS);

/** Each front has connections of its own, as a process has. */
async function databases(): Promise<readonly [Database, Database]> {
  const url = await postgres.emptyDatabase();
  await migrate(url);
  const [one, other] = [openDatabase(url), openDatabase(url)];
  for (const { close } of [one, other]) atScopeEnd(close);
  return [one, other];
}

/** How a front answers a call: its HTTP status. */
async function startFront(limits: Partial<LimitsConfig>, database: Database): Promise<() => Promise<number>> {
  const front = createFront({ ...createTestServing({ limits }).parts, database });
  const url = await front.listen();
  atScopeEnd(() => front.drain());
  const params = { name: 'greet', arguments: { name: 'Ann' } };
  return async () => (await post(url, { method: 'tools/call', params })).status;
}

async function times<T>(count: number, run: () => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let done = 0; done < count; done += 1) all.push(await run());
  return all;
}

describe('fronts on one database', () => {
  it(
    'count the calls of a caller together',
    async () => {
      const [one, other] = await databases();
      const calls = await Promise.all([
        startFront({ callsPerMinute: 4 }, one),
        startFront({ callsPerMinute: 4 }, other),
      ]);
      expect(await times(3, calls[0])).toEqual([200, 200, 200]);
      expect(await times(3, calls[1])).toEqual([200, 429, 429]);
      expect(await calls[0]()).toBe(429);
    },
    TEST_MS,
  );

  it(
    'count failed sign-ins together: one that is over the limit is stopped by each after one more failure there',
    async () => {
      const [one, other] = (await databases()).map((database) => createFailedSignIns(3, database)) as [
        FailedSignIns,
        FailedSignIns,
      ];
      await times(3, () => one.count('10.0.0.1'));
      expect(await one.blockedForMs('10.0.0.1')).toBeGreaterThan(40_000);
      expect(await other.blockedForMs('10.0.0.1')).toBe(0);
      await other.count('10.0.0.1');
      expect(await other.blockedForMs('10.0.0.1')).toBeGreaterThan(40_000);
    },
    TEST_MS,
  );
});

describe('a database that goes away', () => {
  it(
    'stops no call, and each front keeps its limit by itself, until it is back',
    async () => {
      const [database] = await databases();
      const call = await startFront({ callsPerMinute: 4 }, database);
      expect(await times(3, call)).toEqual([200, 200, 200]);
      postgres.signal('SIGKILL');
      await postgres.ended();
      expect(await times(6, call)).toEqual([200, 200, 200, 200, 429, 429]);
      await postgres.restart();
      // Counts do not outlive a crash of the database.
      await eventually(async () => (await call()) === 200, 20_000);
    },
    TEST_MS,
  );

  it(
    'and takes connections without a word holds up one call, and not the next',
    async () => {
      const [database] = await databases();
      const call = await startFront({}, database);
      expect(await call()).toBe(200);
      const stopped = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
      postgres.signal('SIGSTOP');
      process.kill(stopped.rows[0]!.pid, 'SIGSTOP');
      try {
        expect(await call()).toBe(200);
        const startedAt = performance.now();
        expect(await times(20, call)).toEqual(Array.from({ length: 20 }, () => 200));
        // Each of them would have waited for as long as the first one did.
        expect(performance.now() - startedAt).toBeLessThan(patiently(4_000));
      } finally {
        process.kill(stopped.rows[0]!.pid, 'SIGCONT');
        postgres.signal('SIGCONT');
      }
    },
    TEST_MS,
  );
});
