import { html } from 'hono/html';
import type { HistoryEntry, HistoryRound } from './history.ts';
import type { Html } from './html.ts';
import { approvalPath } from './paths.ts';
import { clock } from './times.ts';

export interface ShownHistory {
  readonly entries: readonly HistoryEntry[];
  /** What else of the same task asked people, as far as the visitor may see it. */
  readonly others: readonly HistoryRound[];
}

/** Inside of `<section id="history" aria-labelledby="past">`. */
export function historyOf({ entries, others }: ShownHistory): Html {
  return html`<h2 id="past">History</h2>
    ${entriesOf(entries)}
    ${
      others.length === 0
        ? ''
        : html`<h3>Other decisions on the same task</h3>
            ${others.map(
              ({ approvalId, title, entries: own }) =>
                html`<p><a href="${approvalPath(approvalId)}">${title}</a></p>
                  ${entriesOf(own)}`,
            )}`
    }`;
}

/** For who has asked, on the page of their task. */
export function roundsSection(rounds: readonly HistoryRound[]): Html {
  if (rounds.length === 0) return html``;
  return html`<section aria-labelledby="past">
    <h2 id="past">What others decide on it</h2>
    ${rounds.map(
      ({ title, entries }) =>
        html`<h3>${title}</h3>
          ${entriesOf(entries)}`,
    )}
  </section>`;
}

function entriesOf(entries: readonly HistoryEntry[]): Html {
  return html`<ol class="history">
    ${entries.map(
      ({ at, who, what, reason = '' }) =>
        html`<li>
          ${who === undefined ? '' : html`<strong>${who}</strong>`} ${what} at ${clock(at)}
          ${reason === '' ? '' : html`<blockquote class="words">${reason}</blockquote>`}
        </li>`,
    )}
  </ol>`;
}
