/**
 * The experimental tasks of MCP 2025-11-25 over the same store. The client asks for a task (`params.task`), polls it, and
 * reads the result with `tasks/result`, which waits for the end and meanwhile puts the task's questions to the client where
 * the connection carries requests of the server.
 */
import { ProtocolError, type Result, type Server } from '@modelcontextprotocol/server';
import { INTERNAL_ERROR, TASKS_CANCEL, TASKS_GET } from '../protocol/extension.ts';
import { relatedTask, TASKS_LIST, TASKS_RESULT, toLegacyTask } from '../protocol/legacy-tasks.ts';
import { isTerminal } from '../protocol/task.ts';
import { anyParams } from './any-params.ts';
import { toPlainResult } from './call-result.ts';
import { invalidParams } from './errors.ts';
import { followTask, type Following } from './follow-task.ts';
import type { LegacyClient } from './legacy-client.ts';
import type { Metrics } from './metrics.ts';
import { plainAnswer, type HandingOut } from './plain-answer.ts';
import { readTaskPage, type TaskPagesParts } from './task-pages.ts';
import { taskIdIn } from './task-id-in.ts';
import { waitForTask } from './wait-for-task.ts';

export interface LegacyTasksParts extends TaskPagesParts, HandingOut {
  readonly metrics: Metrics;
  readonly draining: AbortSignal;
  readonly budgets: { readonly fallbackBudgetMs: number };
}

// oxlint-disable-next-line typescript/no-deprecated -- the low-level class is the one with the hooks for tasks
export function addLegacyTasks(server: Server, parts: LegacyTasksParts, client: LegacyClient): void {
  const { store, caller, metrics } = parts;

  server.setRequestHandler(TASKS_GET, anyParams, async (params) => {
    metrics.countPoll();
    return { ...toLegacyTask(await store.get(caller, taskIdIn(params))) };
  });

  server.setRequestHandler(TASKS_RESULT, anyParams, (params, context) => {
    const until = [context.mcpReq.signal, parts.draining];
    const following = { until, ask: client.ask(context), onChange: client.statusOf(context) };
    return answerResult(parts, taskIdIn(params), following);
  });

  server.setRequestHandler(TASKS_LIST, anyParams, async ({ cursor }) => {
    const page = cursor === undefined || typeof cursor === 'string' ? await readTaskPage(parts, cursor) : undefined;
    if (page === undefined) throw invalidParams('The cursor is unknown or too old. Call tasks/list without a cursor.');
    return { ...page, tasks: page.tasks.map(toLegacyTask) };
  });

  server.setRequestHandler(TASKS_CANCEL, anyParams, async (params, { mcpReq }) => {
    const taskId = taskIdIn(params);
    const { status } = await store.get(caller, taskId);
    if (isTerminal(status)) throw invalidParams(`Task ${taskId} cannot be cancelled: it has ended as ${status}.`);
    await store.cancel(caller, taskId, 'requested by the caller through tasks/cancel');
    // This revision answers with the cancelled task; work that stops slowly is not waited for without end.
    const waiting = { signal: mcpReq.signal, draining: parts.draining };
    const cancelled = await store.get(caller, taskId);
    return { ...toLegacyTask(await waitForTask(parts, waiting, cancelled, parts.budgets.fallbackBudgetMs)) };
  });
}

async function answerResult(parts: LegacyTasksParts, taskId: string, following: Following): Promise<Result> {
  const task = await followTask(parts, following, taskId);
  if (!isTerminal(task.status)) {
    throw new ProtocolError(INTERNAL_ERROR, `This server stops; task ${taskId} goes on. Call tasks/result again.`);
  }
  const { _meta, ...result } = toPlainResult(plainAnswer(parts, task), false);
  return { ...result, _meta: { ..._meta, ...relatedTask(taskId) } };
}
