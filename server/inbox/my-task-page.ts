/** One task of the visitor: how it stands, what it asks them, what came of it. */
import { html } from 'hono/html';
import { fileNameOf } from '../../protocol/blob-ref.ts';
import { isTerminal, type ContentBlock, type DetailedTask, type InputRequest } from '../../protocol/task.ts';
import { roundsSection } from './history-section.ts';
import type { HistoryRound } from './history.ts';
import type { Html } from './html.ts';
import { statusWords } from './my-tasks-page.ts';
import { taskPath, TASKS_PATH } from './paths.ts';
import { questionFields } from './question-form.ts';
import { clock } from './times.ts';

export interface MyTaskPage {
  readonly task: DetailedTask;
  readonly csrf: string;
  /** What was wrong with the answer that was just given. */
  readonly problem?: string;
  readonly links?: readonly OpenLink[];
  /** What others have been asked to decide on it. */
  readonly rounds?: readonly HistoryRound[];
}

/** Somebody outside answers by it. */
export interface OpenLink {
  readonly title: string;
  /** Who holds it, in words. */
  readonly holder: string;
  readonly mail: string;
  /** Absent: it goes there by mail, and to nobody else. */
  readonly address?: string | undefined;
}

export function myTaskPage({ task, csrf, problem, links = [], rounds = [] }: MyTaskPage): Html {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt } = task;
  return html`${problem === undefined ? '' : html`<p role="alert"><strong>${problem}</strong></p>`}
    ${standing(
      task,
      html`<dl class="details">
        <div>
          <dt>How it stands</dt>
          <dd>${statusWords(status)}</dd>
        </div>
        ${
          statusMessage === undefined
            ? ''
            : html`<div>
                <dt>In words</dt>
                <dd class="words">${statusMessage}</dd>
              </div>`
        }
        <div>
          <dt>Since</dt>
          <dd>${clock(Date.parse(createdAt))}, changed ${clock(Date.parse(lastUpdatedAt))}</dd>
        </div>
      </dl>`,
    )}
    ${questions(task, csrf)} ${links.map(openLink)} ${outcome(task)} ${roundsSection(rounds)}
    ${isTerminal(status) ? '' : cancelForm(taskId, csrf)}
    <p><a href="${TASKS_PATH}">Back to all of my tasks</a></p>`;
}

/** Only while nobody fills in a form on this page does it look again by itself. */
function standing({ taskId, status }: DetailedTask, content: Html): Html {
  if (status !== 'working') return html`<section>${content}</section>`;
  return html`<section
    id="standing"
    hx-get="${taskPath(taskId)}"
    hx-trigger="every 3s"
    hx-select="main"
    hx-target="main"
    hx-swap="outerHTML"
  >
    ${content}
  </section>`;
}

function questions(task: DetailedTask, csrf: string): Html {
  if (task.status !== 'input_required') return html``;
  return html`${Object.entries(task.inputRequests).map(([key, request]) => question(task.taskId, csrf, { key, request }))}`;
}

function question(taskId: string, csrf: string, { key, request }: { key: string; request: InputRequest }): Html {
  if (request.method !== 'elicitation/create') {
    return html`<p>Your MCP client is asked for something that only it can answer.</p>`;
  }
  const { message, mode, url } = request.params;
  const link = mode === 'url' && typeof url === 'string' && /^https?:\/\//i.test(url);
  return html`<section class="question" aria-label="Question">
    <p class="words">${typeof message === 'string' ? message : ''}</p>
    ${link ? html`<p><a href="${url}" rel="noreferrer">${url}</a></p>` : ''}
    <form method="post" action="${taskPath(taskId)}/answer">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="key" value="${key}" />
      ${questionFields(request, key)}
      <button name="action" value="accept">Answer</button>
      <button name="action" value="decline" class="quiet" formnovalidate>Decline</button>
    </form>
  </section>`;
}

function openLink({ title, holder, mail, address }: OpenLink): Html {
  if (address === undefined) return html`<p>${title}: the link for ${holder} is mailed to ${mail}.</p>`;
  return html`<p>
    ${title}: this server sends no mail, so pass this link on to ${holder}, ${mail}. Whoever has it can answer.<br />
    <a class="link" href="${address}">${address}</a>
  </p>`;
}

function outcome(task: DetailedTask): Html {
  if (task.status === 'failed') return html`<p class="words">${task.error.message}</p>`;
  if (task.status !== 'completed') return html``;
  return html`<section aria-labelledby="outcome">
    <h2 id="outcome">${task.result.isError === true ? 'What went wrong' : 'What came of it'}</h2>
    ${task.result.content.map((block) => shown(block, task.taskId))}
  </section>`;
}

function shown(block: ContentBlock, taskId: string): Html {
  if (block.type === 'text') return html`<p class="words">${block.text}</p>`;
  const name = block.type === 'resource_link' ? fileNameOf(block.uri, taskId) : undefined;
  if (name === undefined) return html`<p>Something that your MCP client shows.</p>`;
  return html`<p><a href="${taskPath(taskId)}/files/${encodeURIComponent(name)}">${name}</a></p>`;
}

function cancelForm(taskId: string, csrf: string): Html {
  return html`<form method="post" action="${taskPath(taskId)}/cancel">
    <input type="hidden" name="csrf" value="${csrf}" />
    <button class="quiet">Cancel this task</button>
  </form>`;
}
