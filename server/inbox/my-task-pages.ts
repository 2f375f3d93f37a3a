/** What visitors have asked for themselves: the same tasks, under the same rules, as over MCP. */
import type { Context, Hono } from 'hono';
import { checkElicitReply } from '../../protocol/answer-check.ts';
import { isTerminal, type DetailedTask } from '../../protocol/task.ts';
import { resultReadAct } from '../approvals/told-results.ts';
import { StoreDown } from '../../store/store-down.ts';
import { principalsOf, type Caller } from '../caller.ts';
import { createSealing } from '../sealing.ts';
import { readTaskPage } from '../task-pages.ts';
import { TaskNotFound, TooManyAnswers } from '../task-store.ts';
import { answerNotFound, answerPage, answerRefused } from './answer-page.ts';
import { sendFile } from './documents.ts';
import { roundsOf, type HistoryRound } from './history.ts';
import { myTaskPage, type MyTaskPage, type OpenLink } from './my-task-page.ts';
import { myTasksPage } from './my-tasks-page.ts';
import type { InboxEnv } from './inbox-env.ts';
import type { PageParts } from './parts.ts';
import { taskPath } from './paths.ts';
import { answerOf } from './question-answer.ts';

type TaskContext = Context<InboxEnv, '/tasks/:id'>;

export function mountMyTasks(app: Hono<InboxEnv>, parts: PageParts): void {
  const { tasks: store, audit, blobs, principalRing } = parts;
  const cursors = createSealing(principalRing, 'inbox cursor');

  app.get('/tasks', async (context) => {
    const { caller } = context.get('visitor');
    const cursor = context.req.query('cursor');
    const page = await readTaskPage({ store, caller, cursors }, cursor);
    if (page === undefined) return context.redirect(context.req.path, 303);
    const asking = await (cursor === undefined
      ? store.list(caller, { size: 20, filter: { status: 'input_required' } })
      : undefined);
    return answerPage(context, { title: 'My tasks', content: myTasksPage(asking?.tasks ?? [], page) });
  });

  app.get('/tasks/:id', (context) =>
    withTask(context, async (task) => {
      const { person, caller } = context.get('visitor');
      const read = resultReadAct(task, { principal: person.principals[0] ?? '', by: person.name, where: 'inbox' });
      if (read !== undefined && context.req.method !== 'HEAD') await audit?.append(read);
      const [links, rounds] = await Promise.all([openLinks(parts, caller, task), roundsToldOf(parts, task)]);
      return showTask(context, task, { links, rounds });
    }),
  );

  app.post('/tasks/:id/answer', (context) =>
    withTask(context, async (task) => {
      const form = context.get('form');
      const key = form.get('key') ?? '';
      const request =
        task.status === 'input_required' && Object.hasOwn(task.inputRequests, key) && task.inputRequests[key];
      if (!request || request.method !== 'elicitation/create') {
        return showTask(context, task, { problem: 'This question is not open any more.' });
      }
      const answer = answerOf(request, form);
      const checked = checkElicitReply(request, answer);
      if (!checked.ok) return showTask(context, task, { problem: `The answer does not fit: ${checked.problem}.` });
      await store.deliver(context.get('visitor').caller, task.taskId, { [key]: answer });
      return context.redirect(taskPath(task.taskId), 303);
    }),
  );

  app.post('/tasks/:id/cancel', (context) =>
    withTask(context, async ({ taskId }) => {
      await store.cancel(context.get('visitor').caller, taskId, 'requested by the caller in the inbox');
      return context.redirect(taskPath(taskId), 303);
    }),
  );

  app.get('/tasks/:id/files/:name', (context) =>
    withTask(context, async ({ taskId }) => {
      const name = context.req.param('name');
      // What starts with an underscore is the server's own.
      if (name.startsWith('_')) return answerNotFound(context);
      for (const caller of principalsOf(context.get('visitor').caller)) {
        const stored = await blobs.read({ caller, taskId }, name);
        if (stored !== undefined) return sendFile({ context, audit }, { taskId, ...stored });
      }
      return answerNotFound(context);
    }),
  );

  async function withTask(context: TaskContext, answer: (task: DetailedTask) => Promise<Response>): Promise<Response> {
    try {
      return await answer(await store.get(context.get('visitor').caller, context.req.param('id')));
    } catch (error) {
      if (error instanceof TaskNotFound) return answerNotFound(context);
      if (error instanceof TooManyAnswers) {
        return answerRefused(context, 409, 'Not sent', 'This task has taken as many answers as it may. Cancel it.');
      }
      throw error;
    }
  }
}

/** Those of the visitor's own task: whoever asks may pass them on where no mail does. */
async function openLinks(
  { desk, links, mailsLinks }: PageParts,
  caller: Caller,
  { taskId, status }: DetailedTask,
): Promise<readonly OpenLink[]> {
  if (isTerminal(status)) return [];
  const found = await desk.readOwn(caller, taskId);
  return (found?.open ?? []).flatMap((approval) => {
    const { link, title } = approval;
    if (found === undefined || link === undefined) return [];
    const address = mailsLinks ? undefined : links.addressOf(found, approval);
    return [{ title, holder: link.name, mail: link.mail, address }];
  });
}

/** Those of the visitor's own task. It is theirs to see without the database as well. */
async function roundsToldOf({ history }: PageParts, { taskId }: DetailedTask): Promise<readonly HistoryRound[]> {
  try {
    return roundsOf((await history?.ofTask(taskId)) ?? []);
  } catch (error) {
    if (error instanceof StoreDown) return [];
    throw error;
  }
}

type Beside = Pick<MyTaskPage, 'problem' | 'links' | 'rounds'>;

function showTask(context: TaskContext, task: DetailedTask, beside: Beside = {}): Promise<Response> {
  const title = `Task ${task.taskId}`;
  const content = myTaskPage({ task, csrf: context.get('csrf'), ...beside });
  return answerPage(context, { title, content }, beside.problem === undefined ? 200 : 422);
}
