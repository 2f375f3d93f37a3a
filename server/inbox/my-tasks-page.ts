import { html } from 'hono/html';
import type { TaskStatus } from '../../protocol/task.ts';
import type { ShownPage } from '../task-pages.ts';
import type { ListedTask } from '../task-store.ts';
import type { Html } from './html.ts';
import { taskPath, TASKS_PATH } from './paths.ts';
import { clock } from './times.ts';

const WORDS: Readonly<Record<TaskStatus, string>> = {
  working: 'at work',
  input_required: 'asks you',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

export function statusWords(status: TaskStatus): string {
  return WORDS[status];
}

/** `questions` stand on the first page only. */
export function myTasksPage(questions: readonly ListedTask[], { tasks, nextCursor }: ShownPage): Html {
  const next = nextCursor && `${TASKS_PATH}?${new URLSearchParams({ cursor: nextCursor }).toString()}`;
  return html`${
      questions.length === 0
        ? ''
        : html`<section aria-labelledby="questions">
            <h2 id="questions">Questions to me</h2>
            ${table(questions)}
          </section>`
    }
    <section aria-labelledby="all">
      <h2 id="all">All of them</h2>
      ${tasks.length === 0 ? html`<p class="empty">There are none.</p>` : table(tasks)}
      <p><small>As of a few seconds ago.</small></p>
    </section>
    <nav class="pager" aria-label="Pages">${next === undefined ? '' : html`<a href="${next}">Next page</a>`}</nav>`;
}

function table(tasks: readonly ListedTask[]): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Task</th>
        <th scope="col">How it stands</th>
        <th scope="col">Since</th>
      </tr>
    </thead>
    <tbody>
      ${tasks.map(
        ({ taskId, tool, status, statusMessage, createdAt }) =>
          html`<tr>
            <td data-label="Task"><a href="${taskPath(taskId)}">${tool}</a> <small>${taskId}</small></td>
            <td data-label="How it stands">
              ${statusWords(status)} ${statusMessage === undefined ? '' : html`<small>${statusMessage}</small>`}
            </td>
            <td data-label="Since">${clock(Date.parse(createdAt))}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
