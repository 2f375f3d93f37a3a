/** The task store on the run's Temporal, and workers on a catalog of the test's own: the product less HTTP. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { createActivities } from '../../activities/index.ts';
import type { DetailedTask, JsonObject } from '../../protocol/task.ts';
import type { TellCancel } from '../../server/approvals/told-cancels.ts';
import type { Caller } from '../../server/caller.ts';
import type { Log } from '../../server/log.ts';
import type { NewTask } from '../../server/task-store.ts';
import { TemporalService } from '../../server/temporal/temporal-service.ts';
import { TemporalTaskStore } from '../../server/temporal/temporal-task-store.ts';
import { FolderBlobStore } from '../../store/folder-blobs.ts';
import { createTaskSinks } from '../../worker/task-metrics.ts';
import { createTaskWorker } from '../../worker/worker.ts';
import { workflowSource } from '../../worker/workflow-source.ts';
import { testDecisions } from './decisions.ts';
import { testKeyRing } from './encryption.ts';
import { eventually } from './eventually.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { atScopeEnd } from './scope.ts';
import { installTestRuntime, temporalAddress } from './temporal.ts';
import { testCaller } from './test-caller.ts';
import { workflowBundle } from './workflow-bundles.ts';

/** Port 9 discards: the bench's tools have an outside world of their own. */
const UNUSED_ERP_URL = 'http://127.0.0.1:9';
const RESULT_RETENTION_MS = 24 * 3_600_000;

export interface StoreChoices {
  readonly resultRetentionMs?: number;
  readonly answersPerTask?: number;
  readonly tellCancel?: TellCancel;
  readonly log?: Pick<Log, 'debug'>;
}

export interface TaskBench {
  readonly service: TemporalService;
  readonly store: TemporalTaskStore;
  readonly caller: Caller;
  readonly taskQueue: string;
  readonly blobs: FolderBlobStore;
  /** Where they lie. */
  readonly blobDir: string;
  /** Another front on the same Temporal. */
  secondStore(options?: StoreChoices): TemporalTaskStore;
  /** On this bench's catalog, or on that of another entry. */
  startWorker(otherWorkflowsPath?: string): Promise<{ stop(): Promise<void> }>;
  create(tool: string, args?: JsonObject, more?: Partial<NewTask>): Promise<string>;
  get(taskId: string): Promise<DetailedTask>;
  /** Polls until the task has one of `statuses`. */
  until(taskId: string, ...statuses: DetailedTask['status'][]): Promise<DetailedTask>;
  workflowId(taskId: string): string;
}

/** `activities` stand for the outside world of the catalog's tools. */
export async function openTaskBench(
  workflowsPath: string,
  activities: object,
  address = temporalAddress(),
  choices: StoreChoices = {},
): Promise<TaskBench> {
  installTestRuntime();
  process.env['TEMPORAL_ADDRESS'] = address;
  const taskQueue = `test-${randomUUID()}`;
  const bundle = await workflowBundle(workflowsPath);
  const blobDir = await temporaryFolder();
  const blobs = new FolderBlobStore(blobDir);
  const principalRing = [randomBytes(32)] as const;
  const caller = testCaller(randomBytes(16).toString('hex'));
  const openStore = (options: StoreChoices = {}): { service: TemporalService; store: TemporalTaskStore } => {
    const service = TemporalService.connect(taskQueue, undefined, testKeyRing);
    atScopeEnd(() => service.close());
    return {
      service,
      store: new TemporalTaskStore({
        service,
        blobs,
        principalRing,
        resultRetentionMs: RESULT_RETENTION_MS,
        ...options,
      }),
    };
  };
  const { service, store } = openStore(choices);
  return {
    service,
    store,
    caller,
    taskQueue,
    blobs,
    blobDir,
    secondStore: (options) => openStore(options).store,
    async startWorker(otherWorkflowsPath) {
      const { worker, run } = await createTaskWorker({
        taskQueue,
        source: workflowSource(otherWorkflowsPath === undefined ? bundle : await workflowBundle(otherWorkflowsPath)),
        activities: {
          ...createActivities({ blobs, erpUrl: UNUSED_ERP_URL, policyFile: '', decisions: testDecisions }),
          ...activities,
        },
        sinks: createTaskSinks(new Registry()),
        drainMs: 2_000,
        keyRing: testKeyRing,
      });
      const running = run();
      const stop = async (): Promise<void> => {
        if (worker.getState() === 'RUNNING') worker.shutdown();
        await running;
      };
      atScopeEnd(stop);
      return { stop };
    },
    async create(tool, args = {}, more = {}) {
      const created = await store.create(caller, {
        tool,
        args,
        features: { elicitationForm: true },
        ttlMs: 60_000,
        maxTtlMs: 120_000,
        pollIntervalMs: 1_000,
        ...more,
      });
      return created.task.taskId;
    },
    get: (taskId) => store.get(caller, taskId),
    until: (taskId, ...statuses) =>
      eventually(async () => {
        const task = await store.get(caller, taskId);
        if (!statuses.includes(task.status))
          throw new Error(`Task ${taskId} is ${task.status}: ${task.statusMessage ?? ''}`);
        return task;
      }, 20_000),
    workflowId: (taskId) => `mcp-task/${caller.principal}/${taskId}`,
  };
}

/** The keys of the open requests whose name is `name`. */
export function openKeys(task: DetailedTask, name = ''): string[] {
  return task.status === 'input_required' ? Object.keys(task.inputRequests).filter((key) => key.startsWith(name)) : [];
}

export function accept(content: JsonObject): JsonObject {
  return { action: 'accept', content };
}
