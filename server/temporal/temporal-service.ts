/**
 * The connection to the Temporal Service: every call has a budget, and a retry that fits into it. The SDK's own gRPC retry
 * is left out, because its back-off sleeps through deadlines.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { enums } from './proto-enums.ts';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { KeyRing } from '../../encryption/key-ring.ts';
import { createPayloadCodecs } from '../../encryption/payload-codec.ts';
import type { ServiceHealth } from '../service-health.ts';
import { StoreUnavailable } from '../task-store.ts';
import { withOwnAbort } from './own-abort.ts';
import { withSynchronousContext } from './synchronous-context.ts';
import { countTasks, type TaskCount, type Visibility } from './task-counts.ts';
import { TaskWorkflowClient } from './task-workflow-client.ts';

type WorkflowService = Connection['workflowService'];

const GrpcStatus = {
  UNKNOWN: 2,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  RESOURCE_EXHAUSTED: 8,
  ABORTED: 10,
  INTERNAL: 13,
  UNAVAILABLE: 14,
};
const RETRYABLE = new Set([
  GrpcStatus.UNKNOWN,
  GrpcStatus.RESOURCE_EXHAUSTED,
  GrpcStatus.ABORTED,
  GrpcStatus.INTERNAL,
  GrpcStatus.UNAVAILABLE,
]);

const DEFAULT_BUDGET_MS = 5_000;
const HEALTH_BUDGET_MS = 2_000;
/** A poller that has not asked for this long is gone. */
const POLLER_FRESH_MS = 70_000;
const { WORKFLOW, ACTIVITY } = {
  WORKFLOW: enums.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  ACTIVITY: enums.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
};

export class TemporalService implements ServiceHealth {
  readonly namespace: string;
  readonly taskQueue: string;
  readonly client: TaskWorkflowClient;
  readonly #connection: Connection;
  readonly #closing = new AbortController();

  private constructor(connection: Connection, namespace: string, taskQueue: string, keyRing: KeyRing | undefined) {
    this.#connection = connection;
    this.namespace = namespace;
    this.taskQueue = taskQueue;
    this.client = new TaskWorkflowClient({
      connection,
      namespace,
      dataConverter: { payloadCodecs: createPayloadCodecs(keyRing) },
    });
  }

  /**
   * Connects at the first call, so that a front starts before its Temporal does. Address and TLS come from `variables` by
   * Temporal's own `envconfig`, which takes an empty one for set. Default: the environment of the process.
   * Without a key ring payloads are written in clear, and those that are encrypted cannot be read.
   */
  static connect(taskQueue: string, variables?: Readonly<Record<string, string>>, keyRing?: KeyRing): TemporalService {
    const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: variables });
    const connection = Connection.lazy({
      ...connectionOptions,
      interceptors: [],
      channelArgs: {
        // Without its prefix, as the SDK sets it, gRPC ignores the limit and refuses history pages above 4 MB for good.
        'grpc.max_receive_message_length': 64 * 1024 * 1024,
        'grpc.initial_reconnect_backoff_ms': 100,
        'grpc.max_reconnect_backoff_ms': 1_000,
        // Nobody asks the channel for a trace of its calls.
        'grpc.enable_channelz': 0,
      },
    });
    return new TemporalService(withSynchronousContext(connection), namespace ?? 'default', taskQueue, keyRing);
  }

  /**
   * One call, retried while Temporal is out of reach and the budget lasts.
   * @throws StoreUnavailable when the budget is used up; other gRPC errors as they are
   */
  async call<T>(run: (service: WorkflowService) => Promise<T>, budgetMs = DEFAULT_BUDGET_MS): Promise<T> {
    const endAt = Date.now() + budgetMs;
    for (let waitMs = 25; ; waitMs = Math.min(waitMs * 2, 400)) {
      try {
        return await this.#connection.withDeadline(endAt, () => run(this.#connection.workflowService));
      } catch (error) {
        if (!isOutage(error)) throw error;
        if (!isRetryable(error) || Date.now() + waitMs >= endAt) {
          throw new StoreUnavailable('Temporal did not answer in time.', { cause: error });
        }
        await delay(waitMs);
      }
    }
  }

  /** A call that may take as long as it wants, until `signal` aborts or `endAt` (epoch ms). No retry. */
  async longPoll<T>(run: (service: WorkflowService) => Promise<T>, endAt: number, signal: AbortSignal): Promise<T> {
    // The SDK leaves a listener on the signal of each call; this one is gone with the call.
    return withOwnAbort({ signal }, (own) =>
      this.#connection.withDeadline(endAt, () =>
        this.#connection.withAbortSignal(own, () => run(this.#connection.workflowService)),
      ),
    );
  }

  async isReachable(): Promise<boolean> {
    try {
      await this.call((service) => service.getSystemInfo({}), HEALTH_BUDGET_MS);
      return true;
    } catch {
      return false;
    }
  }

  async hasWorker(): Promise<boolean> {
    const { pollers } = await this.#describeQueue(WORKFLOW);
    return pollers.some(
      ({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < POLLER_FRESH_MS,
    );
  }

  async backlog(): Promise<{ workflow: number; activity: number }> {
    const [workflow, activity] = await Promise.all([this.#describeQueue(WORKFLOW), this.#describeQueue(ACTIVITY)]);
    const countOf = (queue: typeof workflow): number => Number(queue.stats?.approximateBacklogCount ?? 0);
    return { workflow: countOf(workflow), activity: countOf(activity) };
  }

  countTasks(tools: readonly string[]): Promise<readonly TaskCount[]> {
    const { namespace, taskQueue, client } = this;
    const count: Visibility['count'] = (query) => this.call((rpc) => rpc.countWorkflowExecutions({ namespace, query }));
    return countTasks({ taskQueue, count, decode: (payload) => client.decode(payload) }, tools);
  }

  /** How long Temporal keeps a closed task, in ms. */
  async retentionMs(): Promise<number> {
    const { config } = await this.call((service) => service.describeNamespace({ namespace: this.namespace }));
    return Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) * 1_000;
  }

  /** Aborts when nothing more is to be asked. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connection.close();
  }

  #describeQueue(
    taskQueueType: temporal.api.enums.v1.TaskQueueType,
  ): Promise<
    temporal.api.workflowservice.v1.IDescribeTaskQueueResponse & { pollers: temporal.api.taskqueue.v1.IPollerInfo[] }
  > {
    return this.call(
      (service) =>
        service.describeTaskQueue({
          namespace: this.namespace,
          taskQueue: { name: this.taskQueue },
          taskQueueType,
          reportStats: true,
        }),
      HEALTH_BUDGET_MS,
    );
  }
}

/** The workflow is not there. A namespace that is not there (yet) is an outage. */
export function isWorkflowNotFound(error: unknown): boolean {
  return isGrpcServiceError(error) && (error.code as number) === GrpcStatus.NOT_FOUND && !isNamespaceMissing(error);
}

export function isDeadlineExceeded(error: unknown): boolean {
  return isGrpcServiceError(error) && (error.code as number) === GrpcStatus.DEADLINE_EXCEEDED;
}

/** Temporal has as many calls of this kind in hand as it takes. */
export function isExhausted(error: unknown): boolean {
  return isGrpcServiceError(error) && (error.code as number) === GrpcStatus.RESOURCE_EXHAUSTED;
}

function isOutage(error: unknown): boolean {
  return isDeadlineExceeded(error) || isRetryable(error);
}
/** Temporal is out of reach for now, or has too much to do. */
export function isRetryable(error: unknown): boolean {
  return isGrpcServiceError(error) && (RETRYABLE.has(error.code) || isNamespaceMissing(error));
}
function isNamespaceMissing(error: { details?: unknown }): boolean {
  return typeof error.details === 'string' && /namespace/i.test(error.details);
}
