/** A front server on the in-memory store, with tiny tools, on a port of its own. */
import { openGate } from '../../server/auth/gate.ts';
import { createFront, type Front, type FrontConfig, type FrontParts } from '../../server/front.ts';
import { createLog } from '../../server/log.ts';
import type { ServiceHealth } from '../../server/service-health.ts';
import {
  FilePositionLost,
  type BlobStore,
  type FilePosition,
  type ListedFile,
  type StoredFile,
} from '../../store/blobs.ts';
import { createCatalog, defineTool, toolFailure, toolResult, type Catalog } from '../../workflows/tool.ts';
import { InMemoryTaskStore } from './in-memory-task-store.ts';
import { post, type McpAnswer, type McpRequest } from './mcp-request.ts';
import type { StdioParts } from '../../server/stdio.ts';
import { testCaller } from './test-caller.ts';

export const CALLER = testCaller('0123456789abcdef0123456789abcdef');

/** Bodies never run here: the store's `onCreated` plays the worker. */
const neverRuns = async (): Promise<never> => Promise.reject(new Error('a task body does not run in the front'));

export const testCatalog: Catalog = createCatalog([
  defineTool({
    name: 'greet',
    title: 'Greet',
    description: 'Says hello.',
    task: 'never',
    input: (z) => z.object({ name: z.string() }),
    run: async ({ name }) => {
      if (name === 'nobody') throw toolFailure('nobody cannot be greeted');
      if (name === 'crash') throw Object.assign(new Error('postgres://u:p@db/x'), { code: 5 });
      return toolResult(`Hello, ${name}!`);
    },
  }),
  defineTool({
    name: 'order',
    title: 'Order',
    description: 'Orders something.',
    task: 'optional',
    hasEffects: true,
    syncBudgetMs: 200,
    input: (z) =>
      z.object({
        vendor: z.string(),
        quantity: z.number().int().min(1).optional(),
        lines: z.array(z.object({ sku: z.string() })).optional(),
        unit: z.enum(['piece', 'box']).default('piece'),
      }),
    run: neverRuns,
  }),
  defineTool({
    name: 'required_job',
    title: 'Required job',
    description: 'Always a task.',
    task: 'required',
    input: (z) => z.object({}),
    run: neverRuns,
  }),
  defineTool({
    name: 'asking_job',
    title: 'Asking job',
    description: 'Cannot do without an answer.',
    task: 'optional',
    requires: ['elicitation'],
    syncBudgetMs: 200,
    input: (z) => z.object({}),
    run: neverRuns,
  }),
  defineTool({
    name: 'routed',
    title: 'Routed',
    description: 'Mirrors an argument in a header.',
    task: 'never',
    input: (z) =>
      z.object({
        region: z.string().meta({ 'x-mcp-header': 'Region' }),
        level: z.number().int().meta({ 'x-mcp-header': 'Level' }).optional(),
      }),
    run: async ({ region }) => toolResult(`in ${region}`),
  }),
]);

class FakeBlobs implements BlobStore {
  readonly files: { taskId: string; file: StoredFile; bytes: Uint8Array }[] = [];

  async put(
    owner: { taskId: string },
    { name, mimeType, bytes }: { name: string; mimeType: string; bytes: Uint8Array },
  ): Promise<StoredFile> {
    const file = { ref: { key: name, sha256: `digest of ${name}`, bytes: bytes.length }, name, mimeType };
    this.files.unshift({ taskId: owner.taskId, file, bytes });
    return file;
  }
  async read(
    { taskId }: { taskId: string },
    name: string,
  ): Promise<{ file: StoredFile; bytes: Uint8Array } | undefined> {
    return this.files.find((entry) => entry.taskId === taskId && entry.file.name === name);
  }
  async *list(_caller: string, after?: FilePosition): AsyncIterable<ListedFile> {
    const isThere = ({ taskId, file }: ListedFile): boolean => taskId === after?.taskId && file.name === after.name;
    const index = after === undefined ? -1 : this.files.findIndex(isThere);
    if (after !== undefined && index < 0) throw new FilePositionLost();
    yield* this.files.slice(index + 1);
  }
  async sweep(): Promise<number> {
    return 0;
  }
  async drop(): Promise<void> {
    this.files.length = 0;
  }
}

/** The answers of the Temporal Service, to be set by a test. */
class FakeHealth implements ServiceHealth {
  reachable = true;
  worker = true;
  counts: Awaited<ReturnType<ServiceHealth['countTasks']>> | Error = [];

  async isReachable(): Promise<boolean> {
    return this.reachable;
  }
  async hasWorker(): Promise<boolean> {
    return this.worker;
  }
  async backlog(): Promise<{ workflow: number; activity: number }> {
    return { workflow: 3, activity: 1 };
  }
  async countTasks(): Promise<Awaited<ReturnType<ServiceHealth['countTasks']>>> {
    if (this.counts instanceof Error) throw this.counts;
    return this.counts;
  }
}

export interface TestFront {
  readonly url: string;
  /** Without `/mcp`. */
  readonly origin: string;
  readonly front: Front;
  readonly store: InMemoryTaskStore;
  readonly health: FakeHealth;
  readonly blobs: FakeBlobs;
  post(request: McpRequest): Promise<McpAnswer>;
  call(name: string, args?: unknown, more?: Partial<McpRequest>): Promise<McpAnswer>;
}

export interface TestServing {
  readonly store: InMemoryTaskStore;
  readonly health: FakeHealth;
  readonly blobs: FakeBlobs;
  readonly parts: FrontParts & StdioParts;
}

/** All that a door stands on. */
export function createTestServing(config: Partial<FrontConfig> = {}, catalog = testCatalog): TestServing {
  const store = new InMemoryTaskStore();
  const health = new FakeHealth();
  const blobs = new FakeBlobs();
  const parts: FrontParts & StdioParts = {
    config: {
      host: '127.0.0.1',
      port: 0,
      principalRing: [Buffer.alloc(32, 7)],
      syncBudgetMs: 200,
      fallbackBudgetMs: 300,
      drainMs: 5_000,
      allowedHosts: [],
      allowedOrigins: [],
      ...config,
    },
    catalog,
    store,
    health,
    blobs,
    log: createLog('silent'),
    caller: CALLER,
    gate: openGate(CALLER),
  };
  return { store, health, blobs, parts };
}

export async function startTestFront(config: Partial<FrontConfig> = {}, catalog = testCatalog): Promise<TestFront> {
  const { store, health, blobs, parts } = createTestServing(config, catalog);
  const front = createFront(parts);
  const url = await front.listen();
  return {
    url,
    origin: new URL(url).origin,
    front,
    store,
    health,
    blobs,
    post: (request) => post(url, request),
    call: (name, args = {}, more = {}) =>
      post(url, { method: 'tools/call', params: { name, arguments: args }, ...more }),
  };
}
