/** What is decided on, as both its pages show it: that of an approver and that of a link. */
import { html } from 'hono/html';
import type { Approval } from '../../protocol/approval.ts';
import type { Html } from './html.ts';

/** Inside of a `<dl class="details">`. */
export function shownDetails({ amount, details }: Pick<Approval, 'amount' | 'details'>): Html {
  return html`${amount === undefined ? '' : entry('Amount', html`<strong>${amount}</strong>`)}
  ${Object.entries(details).map(([name, value]) => entry(name, html`${value}`))}`;
}

export function entry(name: string, value: Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd class="words">${value}</dd>
  </div>`;
}
