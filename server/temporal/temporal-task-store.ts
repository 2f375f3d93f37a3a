/**
 * The task store on Temporal: one task is one Workflow Execution under `mcp-task/<caller>/<taskId>`.
 *
 * A foreign id leads to another workflow id, so that "not yours" and "not there" are the same answer of the same call.
 */
import { isGrpcServiceError } from '@temporalio/client';
import { isTerminal, type DetailedTask } from '../../protocol/task.ts';
import { seedState, statusOf, type TaskSeed } from '../../protocol/task-state.ts';
import { toDetailedTask } from '../../protocol/detailed-task.ts';
import type { BlobStore } from '../../store/blobs.ts';
import type { CallMemo, TaskInput } from '../../workflows/contract.ts';
import type { TellCancel } from '../approvals/told-cancels.ts';
import { callDigest } from '../call-digest.ts';
import type { Caller } from '../caller.ts';
import type { Log } from '../log.ts';
import type { PrincipalRing } from '../principal.ts';
import {
  IdempotencyConflict,
  StoreUnavailable,
  TaskNotFound,
  type CreatedTask,
  type NewTask,
  type PageRequest,
  type TaskPage,
  type TaskStore,
} from '../task-store.ts';
import { OrphanedStarts } from './orphaned-starts.ts';
import { withOwnAbort } from './own-abort.ts';
import { again, startRequest, type StartRequest } from './start-request.ts';
import { countOpenTasks } from './open-task-count.ts';
import { TaskFeeds } from './task-feeds.ts';
import { placesOf, taskIdFor, workflowIdOf, type TaskPlace } from './task-ids.ts';
import { listTasks } from './task-list.ts';
import { MAX_ANSWER_BYTES, MAX_ARGUMENT_BYTES, requireSize } from './payload-size.ts';
import { TaskMessages } from './task-messages.ts';
import { TaskReader, type ReadTask } from './task-reader.ts';
import { changesOf } from './task-watch.ts';
import { isWorkflowNotFound, type TemporalService } from './temporal-service.ts';

const ALREADY_EXISTS = 6;

interface StoreOptions {
  readonly service: TemporalService;
  readonly blobs: BlobStore;
  /** Keys of the HMAC that turns a caller's idempotency key into a task id. */
  readonly principalRing: PrincipalRing;
  readonly resultRetentionMs: number;
  /** That one task takes. Default: that of the configuration. */
  readonly answersPerTask?: number;
  /** Of each cancel that Temporal has taken. */
  readonly tellCancel?: TellCancel;
  /** Told of answers that nobody waits for. Default: nobody is. */
  readonly log?: Pick<Log, 'debug'>;
}

export class TemporalTaskStore implements TaskStore {
  readonly #options: StoreOptions;
  readonly #reader: TaskReader;
  readonly #feeds: TaskFeeds;
  readonly #orphans: OrphanedStarts;
  readonly #messages: TaskMessages;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#reader = new TaskReader(options);
    this.#feeds = new TaskFeeds(options.service);
    this.#orphans = new OrphanedStarts(options.service);
    this.#messages = new TaskMessages(options.service, options.answersPerTask);
  }

  async create(caller: Caller, task: NewTask): Promise<CreatedTask> {
    requireSize('arguments', task.args, MAX_ARGUMENT_BYTES);
    const { principal } = caller;
    const { idempotencyKey, ttlMs, pollIntervalMs } = task;
    const taskId = taskIdFor(this.#options.principalRing[0], principal, idempotencyKey);
    const seed: TaskSeed = { taskId, createdAt: Date.now(), ttlMs, pollIntervalMs };
    const call: CallMemo = { argumentsDigest: callDigest(task) };
    const earlier = idempotencyKey === undefined ? undefined : await this.#underFormerKey(caller, idempotencyKey);
    if (earlier !== undefined) return repeated(earlier, task, call);
    const workflowId = workflowIdOf(principal, taskId);
    const request = await startRequest(this.#options.service, caller, { workflowId, task, seed, call });
    const starting = this.#start(task, request);
    // While Temporal has it in hand.
    const created = { task: toDetailedTask(seedState(seed)), isNew: true };
    if (await starting) return created;
    let existing = await this.#reader.read({ principal, workflowId });
    if (existing === undefined) {
      // The result is given up, but Temporal still keeps the closed run: the task begins again under the same id, as it
      // does once Temporal has forgotten it.
      if (await this.#start(task, again(request))) return created;
      existing = await this.#read(caller, taskId);
    }
    return repeated(existing, task, call);
  }

  async hasKey(caller: Caller, idempotencyKey: string): Promise<boolean> {
    const { principal } = caller;
    const taskId = taskIdFor(this.#options.principalRing[0], principal, idempotencyKey);
    const workflowId = workflowIdOf(principal, taskId);
    const found = await Promise.all([
      this.#reader.read({ principal, workflowId }),
      this.#underFormerKey(caller, idempotencyKey),
    ]);
    return found.some((read) => read !== undefined);
  }

  async get(caller: Caller, taskId: string): Promise<DetailedTask> {
    return toDetailedTask((await this.#read(caller, taskId)).state);
  }

  async deliver(caller: Caller, taskId: string, responses: Readonly<Record<string, unknown>>): Promise<void> {
    const { state, description } = await this.#read(caller, taskId);
    const given = Object.entries(responses);
    const wanted = given.filter(([key]) => Object.hasOwn(state.requests, key));
    const ignoredCount = given.length - wanted.length;
    // Not the keys: whoever wrote them may have written anything.
    if (ignoredCount > 0) this.#options.log?.debug({ taskId, ignoredCount }, 'answers to nothing that is asked');
    if (wanted.length === 0) return;
    requireSize('answers', wanted, MAX_ANSWER_BYTES);
    const input: TaskInput = { responses: Object.fromEntries(wanted), receivedAt: Date.now() };
    await this.#messages.answer(description.workflowId, input);
    this.#reader.acked.add(description.runId, input);
  }

  async cancel(caller: Caller, taskId: string, reason: string): Promise<void> {
    const { state, description } = await this.#read(caller, taskId);
    if (state.ending !== undefined || state.outcome !== undefined) return;
    await this.#messages.cancel(description.workflowId, reason);
    this.#options.tellCancel?.({ caller, taskId, reason });
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
    const place = await this.#placeOf(caller, taskId);
    yield* this.#feeds.watch(place.workflowId, (met) => this.#reader.read(place, met), signal);
  }

  list(caller: Caller, page: PageRequest): Promise<TaskPage> {
    return listTasks(this.#options.service, caller, page, this.#options.resultRetentionMs);
  }

  countOpen(caller: Caller): Promise<number> {
    return countOpenTasks(this.#options.service, caller);
  }

  /** `undefined` when `stopped` came first. */
  async #settled(caller: Caller, taskId: string, stopped: AbortSignal): Promise<DetailedTask | undefined> {
    const { workflowId } = await this.#placeOf(caller, taskId);
    for await (const _ of changesOf(this.#options.service, workflowId, stopped)) {
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
    // Always under both keys: how long it takes does not tell under which one a task stands, or whether there is one.
    const found = await Promise.all(placesOf(caller, taskId).map((place) => this.#reader.read(place)));
    return found.find((read) => read !== undefined);
  }

  /** Where the task stands, or would. */
  async #placeOf(caller: Caller, taskId: string): Promise<TaskPlace> {
    const [newest, ...others] = placesOf(caller, taskId);
    if (newest === undefined) throw new TaskNotFound(taskId);
    if (others.length === 0) return newest;
    const { description } = await this.#read(caller, taskId);
    return [newest, ...others].find(({ workflowId }) => workflowId === description.workflowId) ?? newest;
  }

  /** A call under an idempotency key, repeated since the principal key was replaced, is still the same call. */
  async #underFormerKey({ formerPrincipal }: Caller, idempotencyKey: string): Promise<ReadTask | undefined> {
    const [, former] = this.#options.principalRing;
    if (former === undefined || formerPrincipal === undefined) return undefined;
    const taskId = taskIdFor(former, formerPrincipal, idempotencyKey);
    return this.#reader.read({ principal: formerPrincipal, workflowId: workflowIdOf(formerPrincipal, taskId) });
  }

  /**
   * One request for all retries: Temporal tells by its id that it is the same start.
   * @returns `false` when the workflow id was taken, by a running or by a closed task
   */
  async #start({ idempotencyKey }: NewTask, request: StartRequest): Promise<boolean> {
    try {
      const { started } = await this.#options.service.call((rpc) => rpc.startWorkflowExecution(request));
      return started;
    } catch (error) {
      if (isGrpcServiceError(error) && (error.code as number) === ALREADY_EXISTS) return false;
      // It may have started. Under a key the same call finds it; without one nobody ever will.
      if (idempotencyKey === undefined && error instanceof StoreUnavailable) this.#orphans.add(request.workflowId);
      throw error;
    }
  }
}

/** @throws IdempotencyConflict */
async function repeated({ state, description }: ReadTask, task: NewTask, call: CallMemo): Promise<CreatedTask> {
  const { argumentsDigest } = await description.readCall();
  if (description.tool !== task.tool || argumentsDigest !== call.argumentsDigest) {
    throw new IdempotencyConflict('The idempotency key was used for another call.');
  }
  return { task: toDetailedTask(state), isNew: false };
}
