/**
 * `tasks/get`, `tasks/update`, `tasks/cancel`. Order of gates, the first failure answers: capability, shape, id,
 * task of this caller. The parameters' schema is loose, so that the capability gate comes before any look at them.
 */
import type { ServerContext, Server } from '@modelcontextprotocol/server';
import { TASK_ID_PATTERN, TASKS_CANCEL, TASKS_GET, TASKS_UPDATE } from '../protocol/extension.ts';
import { unaskable } from '../protocol/input-feature.ts';
import type { DetailedTask } from '../protocol/task.ts';
import { anyParams } from './any-params.ts';
import type { Caller, Declared } from './caller.ts';
import { readDeclared } from './declared.ts';
import { invalidParams, missingCapability } from './errors.ts';
import { readInputResponses } from './input-responses.ts';
import type { Metrics } from './metrics.ts';
import { TaskNotFound, type TaskStore } from './task-store.ts';

export interface TasksExtensionParts {
  readonly store: TaskStore;
  readonly caller: Caller;
  readonly metrics: Metrics;
}

const ACKNOWLEDGED = { resultType: 'complete' } as const;

// eslint-disable-next-line @typescript-eslint/no-deprecated -- the low-level class is the one with the hooks for tasks
export function addTasksExtension(server: Server, { store, caller, metrics }: TasksExtensionParts): void {
  server.setRequestHandler(TASKS_GET, anyParams, async (params, context) => {
    const declared = requireTasks(TASKS_GET, context);
    metrics.countPoll();
    const task = await store.get(caller, taskIdOf(params));
    refuseUnaskable(task, declared);
    return { resultType: 'complete' as const, ...task };
  });

  server.setRequestHandler(TASKS_UPDATE, anyParams, async (params, context) => {
    requireTasks(TASKS_UPDATE, context);
    const responses = readInputResponses(context);
    if (responses === undefined) {
      throw invalidParams('params.inputResponses must be an object that holds the answers by their keys.');
    }
    await store.deliver(caller, taskIdOf(params), responses);
    return ACKNOWLEDGED;
  });

  server.setRequestHandler(TASKS_CANCEL, anyParams, async (params, context) => {
    requireTasks(TASKS_CANCEL, context);
    await store.cancel(caller, taskIdOf(params), 'requested by the caller through tasks/cancel');
    return ACKNOWLEDGED;
  });
}

function requireTasks(method: string, context: ServerContext): Declared {
  const declared = readDeclared(context);
  if (!declared.tasks) throw missingCapability(method, ['tasks']);
  return declared;
}

function taskIdOf(params: Readonly<Record<string, unknown>>): string {
  const { taskId } = params;
  if (typeof taskId === 'string' && TASK_ID_PATTERN.test(taskId)) return taskId;
  throw new TaskNotFound();
}

/** Nobody is shown a request of a kind they did not declare. Spec: multi round trip, Server Requirements. */
function refuseUnaskable(task: DetailedTask, declared: Declared): void {
  if (task.status !== 'input_required') return;
  const missing = unaskable(Object.values(task.inputRequests), declared);
  if (missing.length > 0)
    throw missingCapability(`Task ${task.taskId} asks its caller a question, and showing it`, missing);
}
