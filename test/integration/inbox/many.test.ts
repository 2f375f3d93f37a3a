/** The queue with 2,000 open approvals, on the real database and the real Temporal. */
import { beforeAll, expect, it, jest } from '@jest/globals';
import { PostgresApprovalQueue } from '../../../store/approval-queue.ts';
import { migrate } from '../../../store/migrate.ts';
import { openDatabase } from '../../../store/postgres.ts';
import { eventually } from '../../support/eventually.ts';
import { openInboxBench, type InboxBench } from '../../support/inbox-bench.ts';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';
import { atScopeEnd } from '../../support/scope.ts';

const TASKS = 100;
const APPROVALS_OF_EACH = 20;
const PAGE = 25;
const LOOKS = 15;
const TEST_MS = 180_000;

let inbox: InboxBench;
let queue: PostgresApprovalQueue;
beforeAll(async () => {
  const postgres = await startPostgres(postgresKinds[0]!);
  const url = await postgres.emptyDatabase();
  await migrate(url);
  const database = openDatabase(url);
  atScopeEnd(() => database.close());
  queue = new PostgresApprovalQueue(database.db);
  inbox = await openInboxBench({ queue });
  await inbox.bench.startWorker();
  const caller = inbox.callerNamed('purchasing-1');
  for (let index = 0; index < TASKS; index += 1) {
    const { task } = await inbox.bench.store.create(caller, {
      tool: 'decide_many',
      args: { count: APPROVALS_OF_EACH },
      features: { elicitationForm: true },
      ttlMs: 60_000,
      maxTtlMs: 86_400_000,
      pollIntervalMs: 1_000,
    });
    const found = await eventually(async () => {
      const read = await inbox.desk.read(`mcp-task/${caller.principal}/${task.taskId}`);
      return read?.open.length === APPROVALS_OF_EACH && read;
    }, 20_000);
    for (const approval of found.open) await queue.put(found, approval);
  }
}, TEST_MS);

it(
  'shows the 25 that are due first of 2,000, each as its task has it, and leaves out what was decided a moment ago',
  async () => {
    const finance = await inbox.visitor('finance-1');
    const titlesOf = ({ text }: { readonly text: string }): string[] =>
      [...text.matchAll(/>(Order \d+ of [\w-]{22})</g)].map(([, title]) => title!);
    const times: number[] = [];
    const [calls, lists] = [jest.spyOn(inbox.bench.service, 'call'), jest.spyOn(queue, 'list')];
    let page = await finance.get('/inbox');
    for (let look = 0; look < LOOKS; look += 1) {
      const startedAt = performance.now();
      page = await finance.get('/inbox');
      times.push(performance.now() - startedAt);
    }
    // What a page costs is that of its rows, and of the one that tells of a next page; how long that takes is the machine's affair.
    expect([calls.mock.calls.length, lists.mock.calls.length]).toEqual([(PAGE + 1) * (LOOKS + 1), LOOKS + 1]);
    for (const [, { limit }] of lists.mock.calls) expect(limit).toBe(PAGE + 1);
    jest.restoreAllMocks();
    const titles = titlesOf(page);
    expect(titles).toHaveLength(PAGE);
    expect(new Set(titles.map((title) => title.split(' of ')[1])).size).toBe(PAGE);
    expect(titles.every((title) => title.startsWith('Order 0 '))).toBe(true);
    const [, first = ''] = /href="(\/inbox\/approvals\/[^"]*)"/.exec(page.text) ?? [];
    await finance.submit(await finance.get(first), '/decide', {}, { choice: 'approve' });
    const after = titlesOf(await finance.get('/inbox'));
    expect([after.length, after.includes(titles[0]!)]).toEqual([PAGE, false]);

    const sorted = times.toSorted((one, other) => one - other);
    const [median, worst] = [sorted[Math.floor(LOOKS / 2)]!, sorted.at(-1)!];
    process.stdout.write(`The queue page of 2,000: median ${median.toFixed(0)} ms, worst ${worst.toFixed(0)} ms\n`);
  },
  TEST_MS,
);
