/** Who stands in for the visitor, for whom they stand in, and the form to have somebody stand in. */
import { html } from 'hono/html';
import { hasBegun, type Delegation } from '../../protocol/delegation.ts';
import type { Approver } from './approvers.ts';
import { dayText, MAX_DELEGATION_DAYS } from './delegation-form.ts';
import type { Html } from './html.ts';
import { DELEGATIONS_PATH, INBOX_PATH } from './paths.ts';
import { nameOf } from './queue-page.ts';
import { clock } from './times.ts';

export interface DelegationsPage {
  readonly given: readonly Delegation[];
  readonly received: readonly Delegation[];
  /** The visitor as the list has them; absent: they are not in it. */
  readonly self: Approver | undefined;
  readonly approvers: readonly Approver[];
  readonly csrf: string;
  /** What was wrong with what was just filled in. */
  readonly problem?: string;
  /** That; or what a link has chosen. */
  readonly filled?: ReadonlyMap<string, string>;
}

export function delegationsPage(page: DelegationsPage, now: number): Html {
  const { given, received, approvers, csrf, problem } = page;
  const revoke = ({ id }: Delegation): Html =>
    html`<form method="post" action="${DELEGATIONS_PATH}/revoke">
      <input type="hidden" name="csrf" value="${csrf}" />
      <input type="hidden" name="id" value="${id}" />
      <button class="quiet">Take it back</button>
    </form>`;
  const named = ({ to }: Delegation): string => nameOf(to, approvers);
  return html`${problem === undefined ? '' : html`<p role="alert"><strong>${problem}</strong></p>`}
    <section aria-labelledby="given">
      <h2 id="given">Who stands in for me</h2>
      ${given.length === 0 ? html`<p class="empty">Nobody.</p>` : table(given, { who: named, act: revoke, now })}
    </section>
    <section aria-labelledby="received">
      <h2 id="received">For whom I stand in</h2>
      ${received.length === 0 ? html`<p class="empty">Nobody.</p>` : table(received, { who: ({ from }) => from.name, now })}
    </section>
    <section aria-labelledby="give">
      <h2 id="give">Have somebody stand in</h2>
      ${giveForm(page, now)}
    </section>
    <p><a href="${INBOX_PATH}">To the decisions that wait for you</a></p>`;
}

interface TableParts {
  readonly who: (delegation: Delegation) => string;
  readonly act?: (delegation: Delegation) => Html;
  readonly now: number;
}

function table(delegations: readonly Delegation[], { who, act, now }: TableParts): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Who</th>
        <th scope="col">For what</th>
        <th scope="col">From</th>
        <th scope="col">Until</th>
        ${act === undefined ? '' : html`<th scope="col">Change</th>`}
      </tr>
    </thead>
    <tbody>
      ${delegations.map(
        (one) =>
          html`<tr>
            <td data-label="Who">${who(one)}</td>
            <td data-label="For what">${one.role ?? 'all decisions'}</td>
            <td data-label="From">${clock(one.fromAt)} ${hasBegun(one, now) ? html`<small>in force</small>` : ''}</td>
            <td data-label="Until">${clock(one.untilAt)}</td>
            ${act === undefined ? '' : html`<td data-label="Change">${act(one)}</td>`}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function giveForm({ self, approvers, csrf, filled }: DelegationsPage, now: number): Html {
  const others = approvers.filter(({ subject }) => subject !== self?.subject);
  if (self === undefined) return html`<p>Only people of the list of approvers can have somebody stand in.</p>`;
  const option = (name: string, value: string, text: string): Html =>
    html`<option value="${value}" ${filled?.get(name) === value ? html`selected` : ''}>${text}</option>`;
  const day = (name: string): string => filled?.get(name) ?? dayText(now);
  return html`<p>
      They decide in your name what waits for you, at most ${MAX_DELEGATION_DAYS} days at once. They cannot pass it on,
      and you may still decide yourself. Days are those of UTC.
    </p>
    <form method="post" action="${DELEGATIONS_PATH}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <label for="to">Who</label>
      <select id="to" name="to" required>
        <option value="">Choose one</option>
        ${others.map(({ subject, name }) => option('to', subject, name))}
      </select>
      <label for="role">For what</label>
      <select id="role" name="role">
        ${option('role', '', 'All of my decisions')} ${self.roles.map((role) => option('role', role, role))}
      </select>
      <label for="from">First day</label>
      <input id="from" name="from" type="date" value="${day('from')}" required />
      <label for="until">Last day</label>
      <input id="until" name="until" type="date" value="${day('until')}" required />
      <button>Have them stand in</button>
    </form>`;
}
