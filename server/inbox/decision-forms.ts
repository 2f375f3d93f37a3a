/** The answers that an approval offers, each a form of its own that works without scripts. */
import { html } from 'hono/html';
import type { Approval, ApprovalChoice } from '../../protocol/approval.ts';
import { MAX_REASON_CHARS } from '../../protocol/decision.ts';
import type { Html } from './html.ts';
import { approvalPath } from './paths.ts';

export interface FormParts {
  readonly approval: Approval;
  readonly csrf: string;
  readonly ticket: string;
}

export function decisionForms(parts: FormParts): Html {
  const { rejectOptions, canRequestChanges, needsReason, words = {} } = parts.approval;
  const why = needsReason === undefined ? html`` : reason('approve-reason', 'Why');
  const changes = canRequestChanges
    ? form(
        parts,
        'request_changes',
        html`${reason('changes-reason', 'What has to change')}`,
        words.request_changes ?? 'Ask for changes',
      )
    : '';
  return html`<div class="decisions">
    ${form(parts, 'approve', why, words.approve ?? 'Approve')}
    ${form(parts, 'reject', html`${options(rejectOptions)} ${reason('reject-reason', 'Why not')}`, words.reject ?? 'Reject')}
    ${changes}
  </div>`;
}

function form({ approval, csrf, ticket }: FormParts, choice: ApprovalChoice, fields: Html, text: string): Html {
  return html`<form method="post" action="${approvalPath(approval.id)}/decide" class="${choice}">
    <input type="hidden" name="csrf" value="${csrf}" />
    <input type="hidden" name="ticket" value="${ticket}" />
    <input type="hidden" name="choice" value="${choice}" />
    ${fields}
    <button>${text}</button>
  </form>`;
}

function options(offered: Approval['rejectOptions']): Html {
  if (offered.length === 0) return html``;
  return html`<label for="reject-option">Kind of no</label>
    <select id="reject-option" name="option" required>
      <option value="">Choose one</option>
      ${offered.map(({ value, title }) => html`<option value="${value}">${title}</option>`)}
    </select>`;
}

function reason(id: string, label: string): Html {
  return html`<label for="${id}">${label}</label>
    <textarea id="${id}" name="reason" rows="3" required maxlength="${MAX_REASON_CHARS}"></textarea>`;
}
