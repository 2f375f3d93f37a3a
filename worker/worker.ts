/** One worker process: Temporal in, activities out. */
import { NativeConnection, Worker, type InjectedSinks, type WorkerOptions } from '@temporalio/worker';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { Activities } from '../activities/index.ts';
import type { TaskSinks } from '../workflows/contract.ts';
import { exactValues } from './exact-values.ts';

/** With Temporal's default of 10 s every task of a killed worker would wait that long for its next step. */
const STICKY_TIMEOUT_MS = 3_000;
/**
 * Each open poll of a worker that hangs swallows one task until that task times out: few while there is little to do.
 * Under load Temporal tells the worker to open more.
 */
const POLLERS = { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 } as const;
/** A heartbeat that waits longer than this delays a cancel. */
const HEARTBEAT_THROTTLE_MS = 2_000;

interface WorkerParts {
  readonly taskQueue: string;
  readonly source: Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>;
  readonly activities: Activities;
  readonly sinks: InjectedSinks<TaskSinks>;
  readonly drainMs: number;
  readonly maxCachedWorkflows?: number;
}

export interface TaskWorker {
  readonly worker: Worker;
  /** Until the worker has drained. */
  readonly run: () => Promise<void>;
}

export async function createTaskWorker(parts: WorkerParts): Promise<TaskWorker> {
  const { connectionOptions, namespace } = loadClientConnectConfig();
  const connection = await NativeConnection.connect(connectionOptions);
  const worker = await Worker.create({
    connection,
    namespace: namespace ?? 'default',
    taskQueue: parts.taskQueue,
    ...parts.source,
    activities: parts.activities,
    sinks: parts.sinks,
    interceptors: { activity: [exactValues] },
    workflowTaskPollerBehavior: POLLERS,
    activityTaskPollerBehavior: POLLERS,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT_MS,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
    shutdownGraceTime: parts.drainMs,
    shutdownForceTime: parts.drainMs + 1_000,
    ...(parts.maxCachedWorkflows === undefined ? {} : { maxCachedWorkflows: parts.maxCachedWorkflows }),
  });
  return {
    worker,
    async run() {
      try {
        await worker.run();
      } finally {
        await connection.close();
      }
    },
  };
}
