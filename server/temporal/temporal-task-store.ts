/**
 * The task store on Temporal: one task is one Workflow Execution under `mcp-task/<caller>/<taskId>`.
 *
 * A foreign id leads to another workflow id, so that "not yours" and "not there" are the same answer of the same call.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { WorkflowIdReusePolicy } from '@temporalio/common';
import { isGrpcServiceError } from '@temporalio/client';
import { TASK_ID_PATTERN } from '../../protocol/extension.ts';
import { isTerminal, type DetailedTask } from '../../protocol/task.ts';
import { seedState, statusOf, toDetailedTask, type TaskSeed } from '../../protocol/task-state.ts';
import type { BlobStore } from '../../store/blobs.ts';
import { taskInputSignal, type CallMemo, type TaskInput } from '../../workflows/contract.ts';
import { callDigest } from '../call-digest.ts';
import type { Caller } from '../caller.ts';
import {
  IdempotencyConflict,
  StoreUnavailable,
  TaskNotFound,
  type CreatedTask,
  type NewTask,
  type TaskPage,
  type TaskStore,
} from '../task-store.ts';
import { withOwnAbort } from './own-abort.ts';
import { startOptions } from './start-options.ts';
import { TaskFeeds } from './task-feeds.ts';
import { listTasks } from './task-list.ts';
import { MAX_ANSWER_BYTES, MAX_ARGUMENT_BYTES, requireSize } from './payload-size.ts';
import { TaskReader, type ReadTask } from './task-reader.ts';
import { changesOf } from './task-watch.ts';
import { isWorkflowNotFound, type TemporalService } from './temporal-service.ts';
import type { StartOptions } from './task-workflow-client.ts';

const ALREADY_EXISTS = 6;

interface StoreOptions {
  readonly service: TemporalService;
  readonly blobs: BlobStore;
  /** Key of the HMAC that turns a caller's idempotency key into a task id. */
  readonly principalKey: Uint8Array;
  readonly resultRetentionMs: number;
}

export class TemporalTaskStore implements TaskStore {
  readonly #options: StoreOptions;
  readonly #reader: TaskReader;
  readonly #feeds: TaskFeeds;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#reader = new TaskReader(options);
    this.#feeds = new TaskFeeds(options.service);
  }

  async create(caller: Caller, task: NewTask): Promise<CreatedTask> {
    requireSize('arguments', task.args, MAX_ARGUMENT_BYTES);
    const taskId = this.#taskIdFor(caller, task.idempotencyKey);
    const { ttlMs, pollIntervalMs } = task;
    const seed: TaskSeed = { taskId, createdAt: Date.now(), ttlMs, pollIntervalMs };
    const call: CallMemo = { argumentsDigest: callDigest(task) };
    const where = { workflowId: workflowIdOf(caller, taskId), taskQueue: this.#options.service.taskQueue };
    const options = startOptions(where, caller, { task, seed, call });
    const created = { task: toDetailedTask(seedState(seed)), isNew: true };
    if (await this.#start(task.tool, options)) return created;
    let existing = await this.#find(caller, taskId);
    if (existing === undefined) {
      // The result is given up, but Temporal still keeps the closed run: the task begins again under the same id, as it
      // does once Temporal has forgotten it.
      const again = { ...options, workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE };
      if (await this.#start(task.tool, again)) return created;
      existing = await this.#read(caller, taskId);
    }
    if (existing.description.tool !== task.tool || existing.description.call.argumentsDigest !== call.argumentsDigest) {
      throw new IdempotencyConflict('The idempotency key was used for another call.');
    }
    return { task: toDetailedTask(existing.state), isNew: false };
  }

  async get(caller: Caller, taskId: string): Promise<DetailedTask> {
    return toDetailedTask((await this.#read(caller, taskId)).state);
  }

  async deliver(caller: Caller, taskId: string, responses: Readonly<Record<string, unknown>>): Promise<void> {
    const { state } = await this.#read(caller, taskId);
    const wanted = Object.entries(responses).filter(([key]) => Object.hasOwn(state.requests, key));
    if (wanted.length === 0) return;
    requireSize('answers', wanted, MAX_ANSWER_BYTES);
    const input: TaskInput = { responses: Object.fromEntries(wanted), receivedAt: Date.now() };
    const { service } = this.#options;
    const payload = await service.client.encode(input);
    const requestId = randomUUID();
    await ignoringClosed(() =>
      service.call((rpc) =>
        rpc.signalWorkflowExecution({
          namespace: service.namespace,
          workflowExecution: { workflowId: workflowIdOf(caller, taskId) },
          signalName: taskInputSignal.name,
          input: { payloads: [payload] },
          requestId,
        }),
      ),
    );
  }

  async cancel(caller: Caller, taskId: string, reason: string): Promise<void> {
    const { state } = await this.#read(caller, taskId);
    if (state.ending !== undefined || state.outcome !== undefined) return;
    const { service } = this.#options;
    const requestId = randomUUID();
    await ignoringClosed(() =>
      service.call((rpc) =>
        rpc.requestCancelWorkflowExecution({
          namespace: service.namespace,
          workflowExecution: { workflowId: workflowIdOf(caller, taskId) },
          requestId,
          reason,
        }),
      ),
    );
  }

  async settle(caller: Caller, taskId: string, budgetMs: number, signal?: AbortSignal): Promise<DetailedTask> {
    try {
      const settled = await withOwnAbort({ signal, afterMs: budgetMs }, (stopped) =>
        this.#settled(caller, taskId, stopped),
      );
      if (settled !== undefined) return settled;
    } catch (error) {
      if (isWorkflowNotFound(error)) throw new TaskNotFound(taskId, { cause: error });
      // The task is durable: a watch that broke off ends the wait, not the call.
      if (!isGrpcServiceError(error) && !(error instanceof StoreUnavailable)) throw error;
    }
    return this.get(caller, taskId);
  }

  async *watch(caller: Caller, taskId: string, signal: AbortSignal): AsyncIterable<DetailedTask> {
    if (!TASK_ID_PATTERN.test(taskId)) throw new TaskNotFound(taskId);
    const workflowId = workflowIdOf(caller, taskId);
    yield* this.#feeds.watch(workflowId, (met) => this.#reader.read(caller.principal, workflowId, met), signal);
  }

  list(caller: Caller, page: { readonly size: number; readonly token?: string }): Promise<TaskPage> {
    return listTasks(this.#options.service, caller, page, this.#options.resultRetentionMs);
  }

  /** `undefined` when `stopped` came first. */
  async #settled(caller: Caller, taskId: string, stopped: AbortSignal): Promise<DetailedTask | undefined> {
    for await (const _ of changesOf(this.#options.service, workflowIdOf(caller, taskId), stopped)) {
      const { state } = await this.#read(caller, taskId);
      if (isTerminal(statusOf(state)) || statusOf(state) === 'input_required') return toDetailedTask(state);
    }
    return undefined;
  }

  async #read(caller: Caller, taskId: string): Promise<ReadTask> {
    const read = await this.#find(caller, taskId);
    if (read === undefined) throw new TaskNotFound(taskId);
    return read;
  }

  async #find(caller: Caller, taskId: string): Promise<ReadTask | undefined> {
    if (!TASK_ID_PATTERN.test(taskId)) return undefined;
    return this.#reader.read(caller.principal, workflowIdOf(caller, taskId));
  }

  /** @returns `false` when the workflow id was taken, by a running or by a closed task */
  async #start(tool: string, options: StartOptions): Promise<boolean> {
    const { service } = this.#options;
    // One request for all retries: Temporal tells by its id that it is the same start.
    const request = await service.client.startRequest(tool, options);
    try {
      const { started } = await service.call((rpc) => rpc.startWorkflowExecution(request));
      return started;
    } catch (error) {
      if (isGrpcServiceError(error) && (error.code as number) === ALREADY_EXISTS) return false;
      throw error;
    }
  }

  #taskIdFor(caller: Caller, idempotencyKey: string | undefined): string {
    if (idempotencyKey === undefined) return randomBytes(16).toString('base64url');
    const mac = createHmac('sha256', this.#options.principalKey).update(`task\0${caller.principal}\0${idempotencyKey}`);
    return mac.digest().subarray(0, 16).toString('base64url');
  }
}

function workflowIdOf(caller: Caller, taskId: string): string {
  return `mcp-task/${caller.principal}/${taskId}`;
}

/** Being too late is not an error: what closed meanwhile needs no answer and no cancel any more. */
async function ignoringClosed(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isWorkflowNotFound(error)) throw error;
  }
}
