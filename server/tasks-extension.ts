/**
 * `tasks/get`, `tasks/update`, `tasks/cancel`. Order of gates, the first failure answers: capability, shape, task of this
 * caller. The parameters' schema is loose, so that the capability gate comes before any look at them.
 */
import type { Result, Server, ServerContext } from '@modelcontextprotocol/server';
import { TASKS_CANCEL, TASKS_GET, TASKS_UPDATE } from '../protocol/extension.ts';
import { unaskable } from '../protocol/input-feature.ts';
import type { DetailedTask } from '../protocol/task.ts';
import { anyParams } from './any-params.ts';
import type { Declared } from './caller.ts';
import { readDeclared } from './declared.ts';
import { invalidParams, missingCapability } from './errors.ts';
import { readInputResponses, type GivenResponses } from './input-responses.ts';
import type { Metrics } from './metrics.ts';
import type { HandingOut } from './plain-answer.ts';
import type { TaskStore } from './task-store.ts';
import { taskIdIn } from './task-id-in.ts';

export interface TasksExtensionParts extends HandingOut {
  readonly store: TaskStore;
  readonly metrics: Pick<Metrics, 'countPoll'>;
}

/** What one request says, whichever way it came in. */
export interface TasksRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly declared: Declared;
  readonly responses: GivenResponses;
}

/** @throws ProtocolError, and what the store throws */
type TasksMethod = (parts: TasksExtensionParts, request: TasksRequest) => Promise<Result>;

const ACKNOWLEDGED = { resultType: 'complete' } as const;

const getTask: TasksMethod = async ({ store, caller, tellRead, metrics }, { params, declared }) => {
  requireTasks(TASKS_GET, declared);
  metrics.countPoll();
  const task = await store.get(caller, taskIdIn(params));
  refuseUnaskable(task, declared);
  tellRead(caller, task);
  return { resultType: 'complete', ...task };
};

const updateTask: TasksMethod = async ({ store, caller }, { params, declared, responses: given }) => {
  requireTasks(TASKS_UPDATE, declared);
  const responses = readInputResponses(given);
  if (responses === undefined) {
    throw invalidParams('params.inputResponses must be an object that holds the answers by their keys.');
  }
  await store.deliver(caller, taskIdIn(params), responses);
  return ACKNOWLEDGED;
};

const cancelTask: TasksMethod = async ({ store, caller }, { params, declared }) => {
  requireTasks(TASKS_CANCEL, declared);
  await store.cancel(caller, taskIdIn(params), 'requested by the caller through tasks/cancel');
  return ACKNOWLEDGED;
};

export const TASKS_METHODS: ReadonlyMap<string, TasksMethod> = new Map([
  [TASKS_GET, getTask],
  [TASKS_UPDATE, updateTask],
  [TASKS_CANCEL, cancelTask],
]);

// oxlint-disable-next-line typescript/no-deprecated -- the low-level class is the one with the hooks for tasks
export function addTasksExtension(server: Server, parts: TasksExtensionParts): void {
  const by =
    (answer: TasksMethod) =>
    (params: Record<string, unknown>, context: ServerContext): Promise<Result> =>
      answer(parts, { params, declared: readDeclared(context), responses: context.mcpReq });
  server.setRequestHandler(TASKS_GET, anyParams, by(getTask));
  server.setRequestHandler(TASKS_UPDATE, anyParams, by(updateTask));
  server.setRequestHandler(TASKS_CANCEL, anyParams, by(cancelTask));
}

function requireTasks(method: string, declared: Declared): void {
  if (!declared.tasks) throw missingCapability(method, ['tasks']);
}

/** Nobody is shown a request of a kind they did not declare. Spec: multi round trip, Server Requirements. */
function refuseUnaskable(task: DetailedTask, declared: Declared): void {
  if (task.status !== 'input_required') return;
  const missing = unaskable(Object.values(task.inputRequests), declared);
  if (missing.length > 0)
    throw missingCapability(`Task ${task.taskId} asks its caller a question, and showing it`, missing);
}
