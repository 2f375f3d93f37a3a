/**
 * An id of somebody else, one that nobody has and one that is none: nothing tells them apart, neither the answer nor the work
 * that is done for it. How long it takes is measured by `npm run measure:timing`.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { RESOURCE_NOT_FOUND_TEXT } from '../../server/errors.ts';
import { readTaskFile } from '../../server/resources.ts';
import { TaskNotFound } from '../../server/task-store.ts';
import { TemporalService } from '../../server/temporal/temporal-service.ts';
import { TemporalTaskStore } from '../../server/temporal/temporal-task-store.ts';
import { FolderBlobStore } from '../../store/folder-blobs.ts';
import { testKeyRing } from '../support/encryption.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { callsDuring } from '../support/recorded-calls.ts';
import { atScopeEnd } from '../support/scope.ts';
import { temporalAddress } from '../support/temporal.ts';
import { testCaller } from '../support/test-caller.ts';
import { verifies } from '../support/verifies.ts';

const hash = (): string => randomBytes(16).toString('hex');
const caller = testCaller(hash());
const FILE_NAME = 'order.txt';
const ids: Record<string, string> = {
  unknown: randomBytes(16).toString('base64url'),
  malformed: '../../x',
  empty: '',
  long: 'x'.repeat(5_000),
};
let service: TemporalService;
let store: TemporalTaskStore;
let blobs: FolderBlobStore;

beforeAll(async () => {
  service = TemporalService.connect(randomUUID(), { TEMPORAL_ADDRESS: temporalAddress() }, testKeyRing);
  atScopeEnd(() => service.close());
  blobs = new FolderBlobStore(await temporaryFolder());
  const principalRing = [randomBytes(32)] as const;
  store = new TemporalTaskStore({ service, blobs, principalRing, resultRetentionMs: 86_400_000, answersPerTask: 100 });
  const other = testCaller(hash());
  const { task } = await store.create(other, {
    tool: 'of_somebody_else',
    args: {},
    features: { elicitationForm: false },
    ttlMs: 60_000,
    maxTtlMs: 60_000,
    pollIntervalMs: 1_000,
  });
  ids['foreign'] = task.taskId;
  const file = { name: FILE_NAME, mimeType: 'text/plain', bytes: Buffer.from('of somebody else') };
  await blobs.put({ caller: other.principal, taskId: task.taskId }, file);
});

type Asked = (taskId: string, asking: typeof caller) => Promise<unknown>;
const METHODS: readonly (readonly [string, Asked])[] = [
  ['get', (taskId, asking) => store.get(asking, taskId)],
  ['deliver', (taskId, asking) => store.deliver(asking, taskId, { key: { action: 'cancel' } })],
  ['cancel', (taskId, asking) => store.cancel(asking, taskId, 'test')],
  ['settle', (taskId, asking) => store.settle(asking, taskId, 1_000)],
  [
    'watch',
    (taskId, asking) => store.watch(asking, taskId, new AbortController().signal)[Symbol.asyncIterator]().next(),
  ],
  [
    'read a file',
    async (taskId, asking) => {
      try {
        await readTaskFile({ store, blobs, caller: asking }, `task://${taskId}/${FILE_NAME}`);
      } catch (error) {
        expect(error).toMatchObject({ message: RESOURCE_NOT_FOUND_TEXT });
        throw new TaskNotFound(taskId, { cause: error });
      }
    },
  ],
];

describe.each(METHODS)('%s', (_method, ask) => {
  const CALLERS = { 'under one key': caller, 'under two keys': { ...caller, formerPrincipal: hash() } };

  it.each(Object.entries(CALLERS))('does the same for every id that is not found, %s', async (_keys, asking) => {
    verifies('sec.authorize');
    const seen: Record<string, unknown> = {};
    for (const [what, taskId] of Object.entries(ids)) {
      let thrown: unknown;
      const calls = await callsDuring(service, async () => {
        thrown = await ask(taskId, asking).catch((error: unknown) => error);
      });
      expect(thrown).toMatchObject({ name: 'TaskNotFound' });
      seen[what] = calls;
    }
    const { unknown } = seen;
    expect(unknown).not.toEqual([]);
    expect(seen).toEqual({ foreign: unknown, unknown, malformed: unknown, empty: unknown, long: unknown });
  });
});
