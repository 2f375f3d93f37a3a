/**
 * A caller with thousands of tasks beside as many of others, on a Temporal of its own and without a worker. As many as
 * `TEST_MANY_TASKS` says, for each of the two; starting them takes most of the time.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { createSealing } from '../../server/sealing.ts';
import type { NewTask } from '../../server/task-store.ts';
import { readTaskPage, type PageOptions } from '../../server/task-pages.ts';
import { TemporalService } from '../../server/temporal/temporal-service.ts';
import { TemporalTaskStore } from '../../server/temporal/temporal-task-store.ts';
import { FolderBlobStore } from '../../store/folder-blobs.ts';
import { testKeyRing } from '../support/encryption.ts';
import { eventually } from '../support/eventually.ts';
import { startOwnTemporal } from '../support/own-temporal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { atScopeEnd } from '../support/scope.ts';
import { testCaller } from '../support/test-caller.ts';
import { patiently } from '../support/patience.js';

const TASKS = Number(process.env['TEST_MANY_TASKS'] ?? 2_000);
const HALF = TASKS / 2;
const IN_FLIGHT = 16;
const PAGE_SIZE = 100;
/** A page is found by where the one before ended, and takes as long at the end as at the beginning. */
const PAGE_BUDGET_MS = 2_000;
const TASK = {
  args: {},
  features: { elicitationForm: false },
  ttlMs: 3_600_000,
  maxTtlMs: 3_600_000,
  pollIntervalMs: 1_000,
};
const TIMEOUT_MS = 120_000 + TASKS * 100;

const principalRing = [randomBytes(32)] as const;
const cursors = createSealing(principalRing, 'cursor');
const [caller, other] = [testCaller('a'.repeat(32)), testCaller('b'.repeat(32))];
const mine: string[] = [];
/** What the store asked of Temporal, the oldest first. */
const asked: { readonly rpc: string; readonly query?: string }[] = [];
let store: TemporalTaskStore;
/** Epoch ms: half of the tasks were created before. */
let halfTimeAt: number;

beforeAll(async () => {
  const { address } = await startOwnTemporal();
  const service = TemporalService.connect(randomUUID(), { TEMPORAL_ADDRESS: address }, testKeyRing);
  atScopeEnd(() => service.close());
  overhear(service);
  const blobs = new FolderBlobStore(await temporaryFolder());
  store = new TemporalTaskStore({ service, blobs, principalRing, resultRetentionMs: 86_400_000, answersPerTask: 100 });
  await createBoth(HALF);
  halfTimeAt = Date.now() + 1;
  await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual(halfTimeAt));
  await createBoth(TASKS - HALF);
}, TIMEOUT_MS);

/** Each call goes on to the real Temporal as it is. */
function overhear(service: TemporalService): void {
  const call = service.call.bind(service);
  service.call = (run, budgetMs) => {
    return call((rpcs) => {
      const heard = new Proxy(rpcs, {
        get(target, rpc, receiver) {
          const member: unknown = Reflect.get(target, rpc, receiver);
          if (typeof member !== 'function') return member;
          return (request: { query?: string }) => {
            asked.push({ rpc: String(rpc), ...(request.query === undefined ? {} : { query: request.query }) });
            return Reflect.apply(member, target, [request]) as unknown;
          };
        },
      });
      return run(heard);
    }, budgetMs);
  };
}

async function createBoth(count: number): Promise<void> {
  let left = count;
  const flight = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const call: NewTask = { ...TASK, tool: left % 2 === 0 ? 'even' : 'odd', idempotencyKey: randomUUID() };
      const [own] = await Promise.all([create(caller, call), create(other, call)]);
      mine.push(own);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, flight));
}

/** Under a key: a start that a busy machine has not confirmed is repeated, and starts nothing twice. */
async function create(owner: typeof caller, call: NewTask): Promise<string> {
  const { task } = await eventually(() => store.create(owner, call), 60_000);
  return task.taskId;
}

async function listed(filter: PageOptions['filter'] = {}): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const startedAt = performance.now();
    const page = await readTaskPage({ store, caller, cursors }, cursor, { size: PAGE_SIZE, filter });
    expect(performance.now() - startedAt).toBeLessThan(patiently(PAGE_BUDGET_MS));
    expect(page?.tasks.length).toBeLessThanOrEqual(PAGE_SIZE);
    ids.push(...(page?.tasks ?? []).map(({ taskId }) => taskId));
    cursor = page?.nextCursor;
  } while (cursor !== undefined);
  return ids;
}

describe(`a list of ${String(TASKS)} tasks beside as many of others`, () => {
  it(
    'has each of them once, and none of the others',
    async () => {
      const ids = await eventually(async () => {
        asked.length = 0;
        const seen = await listed();
        expect(seen.length).toBeGreaterThanOrEqual(TASKS);
        return seen;
      }, 30_000);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.toSorted()).toEqual(mine.toSorted());

      // One question to Temporal a page, perhaps one more that finds the end: no row is asked for that is then thrown away.
      const pages = Math.ceil(TASKS / PAGE_SIZE);
      expect(asked.length).toBeGreaterThanOrEqual(pages);
      expect(asked.length).toBeLessThanOrEqual(pages + 1);
      for (const { rpc, query } of asked) {
        expect(rpc).toBe('listWorkflowExecutions');
        expect(query).toMatch(new RegExp(`^McpPrincipal IN \\("${caller.principal}"\\)( AND (?!.* OR ).+)?$`));
      }
    },
    TIMEOUT_MS,
  );

  it(
    'parts into what was created before a time and what was created later',
    async () => {
      const [earlier, later] = [await listed({ createdBefore: halfTimeAt }), await listed({ createdFrom: halfTimeAt })];
      expect([earlier.length, later.length]).toEqual([HALF, TASKS - HALF]);
      expect([...earlier, ...later].toSorted()).toEqual(mine.toSorted());
    },
    TIMEOUT_MS,
  );

  it(
    'parts into those of each tool',
    async () => {
      const [even, odd, none] = [
        await listed({ tool: 'even' }),
        await listed({ tool: 'odd' }),
        await listed({ tool: 'x' }),
      ];
      expect([...even, ...odd].toSorted()).toEqual(mine.toSorted());
      expect(even.length).toBeGreaterThan(0);
      expect(odd.length).toBeGreaterThan(0);
      expect(none).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
