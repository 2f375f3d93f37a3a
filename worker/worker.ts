/** One worker process: Temporal in, activities out. */
import { NativeConnection, Worker, type InjectedSinks, type WorkerOptions } from '@temporalio/worker';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { Activities } from '../activities/index.ts';
import type { KeyRing } from '../encryption/key-ring.ts';
import { createPayloadCodecs } from '../encryption/payload-codec.ts';
import type { TaskSinks } from '../workflows/contract.ts';
import { boundedOutcomes } from './bounded-outcomes.ts';
import { exactValues } from './exact-values.ts';
import { FAILURE_CONVERTER_PATH } from './workflow-source.ts';

/** With Temporal's default of 10 s every task of a killed worker would wait that long for its next step. */
const STICKY_TIMEOUT_MS = 3_000;
/**
 * Each open poll of a worker that hangs swallows one task until that task times out: few while there is little to do.
 * Under load Temporal tells the worker to open more.
 */
const POLLERS = { type: 'autoscaling', minimum: 1, initial: 2, maximum: 10 } as const;
/** A heartbeat that waits longer than this delays a cancel. */
const HEARTBEAT_THROTTLE_MS = 2_000;
/** As long as a front waits for the same answer. */
const REACHED_WITHIN_MS = 2_000;

interface WorkerParts {
  readonly taskQueue: string;
  readonly source: Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>;
  readonly activities: Activities;
  readonly sinks: InjectedSinks<TaskSinks>;
  readonly drainMs: number;
  readonly maxCachedWorkflows?: number;
  /** Without it payloads are written in clear, and tasks whose payloads are encrypted cannot go on. */
  readonly keyRing?: KeyRing | undefined;
  /** From which Temporal's own configuration is read; an empty one counts there. Default: the environment of the process. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface TaskWorker {
  readonly worker: Worker;
  /** Until the worker has drained. */
  readonly run: () => Promise<void>;
  readonly isTemporalReachable: () => Promise<boolean>;
}

export async function createTaskWorker(parts: WorkerParts): Promise<TaskWorker> {
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: parts.variables });
  const connection = await NativeConnection.connect(connectionOptions);
  const worker = await Worker.create({
    connection,
    namespace: namespace ?? 'default',
    taskQueue: parts.taskQueue,
    ...parts.source,
    activities: parts.activities,
    sinks: parts.sinks,
    dataConverter: {
      failureConverterPath: FAILURE_CONVERTER_PATH,
      payloadCodecs: createPayloadCodecs(parts.keyRing),
    },
    interceptors: { activity: [boundedOutcomes, exactValues] },
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
    isTemporalReachable: () =>
      connection
        .withDeadline(Date.now() + REACHED_WITHIN_MS, () => connection.workflowService.getSystemInfo({}))
        .then(
          () => true,
          () => false,
        ),
  };
}
