import { html } from 'hono/html';
import type { Approver } from './approvers.ts';
import type { Html } from './html.ts';
import { ON_CHANGE } from './layout.ts';
import { approvalPath, INBOX_PATH } from './paths.ts';
import type { QueueQuestion, QueueRow, QueueView } from './queue-look.ts';
import { clock, dueIn, spanOf } from './times.ts';

export interface QueuePage extends QueueView {
  readonly question: QueueQuestion;
  /** Of the visitor. */
  readonly roles: readonly string[];
  readonly approvers: readonly Approver[];
  /** A stream tells it of changes. */
  readonly isLive: boolean;
}

/** When a queue that stays open asks for itself again; without scripts it stays as it is. */
const WITHOUT_STREAM = 'every 10s';

export function queuePage({ rows, next, question, roles, approvers, isLive }: QueuePage, now: number): Html {
  const address = queueAddress(question);
  return html`${filters(roles, question.role)}
    <section
      id="queue"
      hx-get="${address}"
      hx-trigger="${isLive ? ON_CHANGE : WITHOUT_STREAM}"
      hx-select="#queue > *"
      hx-swap="innerHTML"
      aria-live="polite"
    >
      ${rows.length === 0 ? html`<p class="empty">Nothing waits for you here.</p>` : table(rows, approvers, now)}
    </section>
    ${pager(question, next)}`;
}

function filters(roles: readonly string[], chosen: string | undefined): Html {
  const link = (text: string, role?: string): Html =>
    html`<a href="${queueAddress({ role })}" ${role === chosen ? html`aria-current="page"` : ''}>${text}</a>`;
  return html`<nav class="filters" aria-label="Whose decisions">
    ${link('Mine')} ${roles.map((role) => link(role, role))}
  </nav>`;
}

function table(rows: readonly QueueRow[], approvers: readonly Approver[], now: number): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">What</th>
        <th scope="col">Amount</th>
        <th scope="col">Asked by</th>
        <th scope="col">Waiting</th>
        <th scope="col">Due</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => line(row, approvers, now))}
    </tbody>
  </table>`;
}

function line({ approval, claimedBy, standIn }: QueueRow, approvers: readonly Approver[], now: number): Html {
  const { id, title, amount, requestedBy, openedAt, dueAt, votes, quorum } = approval;
  const progress = quorum > 1 ? html`<small>${votes.length} of ${quorum} have approved</small>` : '';
  const claim = claimedBy === undefined ? '' : html`<small>Looked at by ${nameOf(claimedBy, approvers)}</small>`;
  const forWhom = standIn === undefined ? '' : html`<small>for ${standIn.person.name}</small>`;
  return html`<tr>
    <td data-label="What"><a id="row-${id}" href="${approvalPath(id)}">${title}</a> ${forWhom} ${progress} ${claim}</td>
    <td data-label="Amount" class="amount">${amount ?? '–'}</td>
    <td data-label="Asked by">${requestedBy}</td>
    <td data-label="Waiting">${spanOf(now - openedAt)}</td>
    <td data-label="Due">${dueIn(dueAt, now)} <small>${clock(dueAt)}</small></td>
  </tr>`;
}

function pager(question: QueueQuestion, next: string | undefined): Html {
  const { role } = question;
  return html`<nav class="pager" aria-label="Pages">
    ${question.after === undefined ? '' : html`<a href="${queueAddress({ role })}">First page</a>`}
    ${next === undefined ? '' : html`<a href="${queueAddress({ role, after: next })}">Next page</a>`}
  </nav>`;
}

function queueAddress({ role, after }: QueueQuestion): string {
  const query = new URLSearchParams({
    ...(role === undefined ? {} : { role }),
    ...(after === undefined ? {} : { after }),
  });
  return query.size === 0 ? INBOX_PATH : `${INBOX_PATH}?${query.toString()}`;
}

export function nameOf(subject: string, approvers: readonly Approver[]): string {
  return approvers.find((approver) => approver.subject === subject)?.name ?? subject;
}
