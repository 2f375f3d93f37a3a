/** What the holder of a link reads. Opening it decides nothing: programs that look at mail open links as well. */
import { html } from 'hono/html';
import type { AnswerWords, Approval, ApprovalChoice, DecidedApproval } from '../../protocol/approval.ts';
import { MAX_REASON_CHARS } from '../../protocol/decision.ts';
import { entry, shownDetails } from './details.ts';
import type { Html } from './html.ts';
import type { LinkLook } from './link-look.ts';
import { clock } from './times.ts';

export interface LinkPage {
  readonly title: string;
  readonly content: Html;
}

/** To which the forms are sent, and what they carry. */
export interface LinkForm {
  readonly action: string;
  readonly ticket: string;
}

export function linkPage(look: LinkLook, words: AnswerWords, form: LinkForm): LinkPage {
  switch (look.kind) {
    case 'open':
      return { title: look.approval.title, content: openContent(look.approval, form) };
    case 'decided':
      return { title: look.decided.title, content: decidedContent(look.decided, words) };
    case 'expired':
      return {
        title: 'Too late',
        content: html`<p>The time to answer is over. Nothing can be answered here any more.</p>`,
      };
    case 'over':
      return {
        title: 'It is over',
        content: html`<p>This was ended by whoever had asked. Nothing can be answered here any more.</p>`,
      };
  }
}

function openContent(approval: Approval, form: LinkForm): Html {
  const { reason, dueAt, link, words } = approval;
  const isStanding = link?.isStanding === true;
  return html`<p class="words">${reason}</p>
    <dl class="details">${shownDetails(approval)} ${isStanding ? '' : entry('Answer until', clock(dueAt))}</dl>
    <div class="decisions">
      ${answerForm(form, 'approve', words?.approve ?? 'Yes')}
      ${isStanding ? '' : answerForm(form, 'reject', words?.reject ?? 'No')}
    </div>
    <p>Whoever has this link can answer. Do not pass it on.</p>`;
}

function answerForm({ action, ticket }: LinkForm, choice: ApprovalChoice, text: string): Html {
  const id = `${choice}-reason`;
  return html`<form method="post" action="${action}" class="${choice}">
    <input type="hidden" name="ticket" value="${ticket}" />
    <input type="hidden" name="choice" value="${choice}" />
    <label for="${id}">A word about it, if you like</label>
    <textarea id="${id}" name="reason" rows="2" maxlength="${MAX_REASON_CHARS}"></textarea>
    <button>${text}</button>
  </form>`;
}

function decidedContent({ result, at }: DecidedApproval, words: AnswerWords): Html {
  const said = result === 'approved' ? words.approve : result === 'rejected' ? words.reject : undefined;
  if (said === undefined) {
    return html`<p>This is no longer open since ${clock(at)}: it was ended, or answered by another link of yours.</p>`;
  }
  return html`<p>
    It was answered at ${clock(at)}: <strong>${said}</strong>. That stands; it cannot be answered again.
  </p>`;
}
