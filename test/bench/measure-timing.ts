/**
 * `npm run measure:timing`: does the time of an answer tell an id of somebody else from one that nobody has, or from one that is
 * none, whatever is asked of it? Exit code 1 when the medians are further apart than 0.1 ms, when the rank-sum test tells the
 * samples apart, or when one answer differs in anything but its date. `-- --pairs N` for another number than 2,000,
 * `--only tasks/get` for one method. It needs a machine that does nothing else; equal samples still fail the rank-sum test
 * once in a hundred comparisons.
 */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { taskFileUri } from '../../protocol/blob-ref.ts';
import { findTemporal } from '../../scripts/temporal.js';
import { TemporalService } from '../../server/temporal/temporal-service.ts';
import { TemporalTaskStore } from '../../server/temporal/temporal-task-store.ts';
import { FolderBlobStore } from '../../store/folder-blobs.ts';
import { answersOk, startChild } from '../support/child.ts';
import { startDevServer } from '../support/dev-server.ts';
import { TEST_ENCRYPTION_KEYS, testKeyRing } from '../support/encryption.ts';
import { freePort } from '../support/free-port.ts';
import { testCaller } from '../support/test-caller.ts';
import { createMcpDoor, type DoorAnswer, type McpDoor } from './mcp-door.ts';
import { rankSumP } from './rank-sum.ts';
import { percentile } from './statistics.ts';

const MAX_MEDIAN_DIFFERENCE_MS = 0.1;
const MIN_P = 0.01;
/** Of each kind; each is asked for again and again, so that none is newer than the others. */
const IDS = 100;
const WARM_UP = 200;

const FILE_NAME = 'order.pdf';
const FILE = { name: FILE_NAME, mimeType: 'application/pdf', bytes: randomBytes(10_000) };

const KINDS = ['foreign', 'unknown', 'malformed'] as const;
type Kind = (typeof KINDS)[number];

/** What each method is asked with, of the task with this id. */
const REQUESTS = {
  'tasks/get': (taskId) => ({ taskId }),
  'tasks/update': (taskId) => ({ taskId, inputResponses: { 'input-1': { action: 'accept', content: {} } } }),
  'tasks/cancel': (taskId) => ({ taskId }),
  'resources/read': (taskId) => ({ uri: taskFileUri(taskId, FILE_NAME) }),
} as const satisfies Readonly<Record<string, (taskId: string) => object>>;
type Method = keyof typeof REQUESTS;
const METHODS = Object.keys(REQUESTS) as Method[];

const endings: (() => Promise<unknown>)[] = [];

async function startFront(address: string, taskQueue: string, folder: string): Promise<string> {
  const port = String(await freePort());
  const front = await startChild({
    name: 'the front',
    command: process.execPath,
    args: ['--import', 'tsx', 'server/main.ts'],
    env: {
      TEMPORAL_ADDRESS: address,
      TASK_QUEUE: taskQueue,
      DATA_DIR: folder,
      PORT: port,
      ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS,
      LOG_LEVEL: 'warn',
    },
    isReady: () => answersOk(`http://127.0.0.1:${port}/readyz`),
    readyWithinMs: 60_000,
  });
  endings.unshift(() => front.end());
  return `http://127.0.0.1:${port}`;
}

async function startTemporal(): Promise<string> {
  const found = await findTemporal();
  if ('address' in found) return found.address;
  process.env['TEMPORAL_CLI_PATH'] = found.path;
  const server = await startDevServer();
  endings.unshift(() => server.end());
  return server.address;
}

/** Tasks that run and have a file, of a caller that nobody signs in as. */
async function createForeignTasks(address: string, taskQueue: string, folder: string): Promise<readonly string[]> {
  const service = TemporalService.connect(taskQueue, { TEMPORAL_ADDRESS: address }, testKeyRing);
  const blobs = new FolderBlobStore(folder);
  const store = new TemporalTaskStore({
    service,
    blobs,
    principalRing: [randomBytes(32)],
    resultRetentionMs: 86_400_000,
    answersPerTask: 100,
  });
  const caller = testCaller(randomBytes(16).toString('hex'));
  const call = { tool: 'slow_compute', args: {}, features: { elicitationForm: false }, pollIntervalMs: 1_000 };
  const ids: string[] = [];
  while (ids.length < IDS) {
    const { task } = await store.create(caller, { ...call, ttlMs: 3_600_000, maxTtlMs: 3_600_000 });
    await blobs.put({ caller: caller.principal, taskId: task.taskId }, FILE);
    ids.push(task.taskId);
  }
  await service.close();
  return ids;
}

/** As long as the others, so that only what they are differs. */
function malformedId(): string {
  return `${randomBytes(16).toString('base64url').slice(0, 21)}!`;
}

interface Sample {
  readonly ids: Readonly<Record<Kind, readonly string[]>>;
  readonly pairs: number;
}

interface Measured {
  readonly durationsMs: Readonly<Record<Kind, readonly number[]>>;
  readonly answers: ReadonlySet<string>;
}

async function measure(door: McpDoor, method: Method, { ids, pairs }: Sample): Promise<Measured> {
  const durationsMs: Record<Kind, number[]> = { foreign: [], unknown: [], malformed: [] };
  const answers = new Set<string>();
  for (let round = -WARM_UP; round < pairs; round += 1) {
    for (const kind of shuffled(KINDS)) {
      const taskId = ids[kind][Math.abs(round) % IDS] ?? '';
      const params = REQUESTS[method](taskId);
      const startedAt = performance.now();
      const answer = await door.ask({ method, params });
      const durationMs = performance.now() - startedAt;
      if (round >= 0) durationsMs[kind].push(durationMs);
      answers.add(asText(answer).replaceAll(taskId, '<id>'));
    }
  }
  return { durationsMs, answers };
}

/** Whoever comes first in a round must not always be the same. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(randomInt(rest.length), 1));
}

function asText({ status, headers: { date: _, ...headers }, text }: DoorAnswer): string {
  return JSON.stringify([status, headers, text]);
}

/** @returns whether nothing tells them apart */
function judged({ durationsMs, answers }: Measured): boolean {
  const medianOf = (kind: Kind): number => percentile([...durationsMs[kind]], 50);
  console.log(`     medians: ${KINDS.map((kind) => `${kind} ${ms(medianOf(kind))}`).join(', ')}`);
  const isSame = answers.size === 1;
  console.log(`${isSame ? 'ok  ' : 'FAIL'} ${String(answers.size)} different answer(s), dates aside`);
  const compared = (['foreign', 'malformed'] as const).map((kind) => {
    const differenceMs = Math.abs(medianOf(kind) - medianOf('unknown'));
    const p = rankSumP(durationsMs[kind], durationsMs.unknown);
    const isFine = differenceMs <= MAX_MEDIAN_DIFFERENCE_MS && p > MIN_P;
    const verdict = isFine ? 'ok  ' : 'FAIL';
    console.log(`${verdict} ${kind} and unknown: medians ${ms(differenceMs)} apart, p = ${p.toFixed(3)}`);
    return isFine;
  });
  return isSame && compared.every(Boolean);
}

async function main(): Promise<boolean> {
  const options = { pairs: { type: 'string', default: '2000' }, only: { type: 'string' } } as const;
  const { pairs, only } = parseArgs({ options }).values;
  const methods = METHODS.filter((each) => only === undefined || each === only);
  if (methods.length === 0) throw new Error(`--only: one of ${METHODS.join(', ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'durable-mcp-tasks-timing-'));
  endings.unshift(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [address, taskQueue] = [await startTemporal(), `timing-${randomUUID()}`];
  const door = createMcpDoor(await startFront(address, taskQueue, folder), 1);
  endings.unshift(async () => door.close());
  const ids = {
    foreign: await createForeignTasks(address, taskQueue, folder),
    unknown: Array.from({ length: IDS }, () => randomBytes(16).toString('base64url')),
    malformed: Array.from({ length: IDS }, malformedId),
  };
  const verdicts: boolean[] = [];
  for (const method of methods) {
    console.log(`${method}, ${pairs} answers each`);
    verdicts.push(judged(await measure(door, method, { ids, pairs: Number(pairs) })));
  }
  return verdicts.every(Boolean);
}

function ms(value: number): string {
  return `${value.toFixed(3)} ms`;
}

try {
  if (!(await main())) process.exitCode = 1;
} finally {
  for (const end of endings) await end();
}
