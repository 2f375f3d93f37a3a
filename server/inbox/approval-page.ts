/** What somebody decides on: exactly what will happen, and why it is theirs to say. */
import { html } from 'hono/html';
import type { DecidedApproval } from '../../protocol/approval.ts';
import { fileNameOf } from '../../protocol/blob-ref.ts';
import { decidedSentence } from '../approvals/decided-sentence.ts';
import type { OpenLook } from './approval-look.ts';
import type { Approver } from './approvers.ts';
import { decisionForms } from './decision-forms.ts';
import { entry, shownDetails } from './details.ts';
import { historyOf, type ShownHistory } from './history-section.ts';
import type { Html } from './html.ts';
import { ON_CHANGE } from './layout.ts';
import { approvalPath, delegateRolePath, documentPath, INBOX_PATH } from './paths.ts';
import { nameOf } from './queue-page.ts';
import { clock, dueIn, spanOf } from './times.ts';

export interface ApprovalPage {
  readonly look: OpenLook;
  readonly history: ShownHistory;
  readonly approvers: readonly Approver[];
  readonly subject: string;
  /** Whether people can have somebody stand in. */
  readonly canDelegate: boolean;
  readonly csrf: string;
  readonly ticket: string;
}

export function approvalPage(page: ApprovalPage, now: number): Html {
  const { look } = page;
  const { approval } = look;
  const { reason, requestedBy, openedAt, dueAt } = approval;
  return html`<section aria-labelledby="what">
      <h2 id="what">What will happen</h2>
      <dl class="details">${shownDetails(approval)}</dl>
      ${documents(look)}
    </section>
    <section
      id="state"
      aria-labelledby="why"
      hx-get="${approvalPath(approval.id)}"
      hx-trigger="${ON_CHANGE}"
      hx-select="#state > *"
      hx-select-oob="#claim:innerHTML,#history:innerHTML"
    >
      <h2 id="why">Why it needs a decision</h2>
      <p class="words">${reason}</p>
      <dl class="details">
        ${entry('Asked by', html`${requestedBy}`)}
        ${entry('Waiting', html`${spanOf(now - openedAt)}, since ${clock(openedAt)}`)}
        ${entry('Due', html`${dueIn(dueAt, now)}, ${clock(dueAt)}`)} ${entry('Decided by', whoDecides(look))}
      </dl>
      ${approval.votes.length === 0 ? html`<p>Nobody has decided yet.</p>` : ''}
    </section>
    <section id="history" aria-labelledby="past">${historyOf(page.history)}</section>
    <section aria-labelledby="decide">
      <h2 id="decide">Your decision</h2>
      ${decisionPart(page)}
    </section>
    <p><a href="${INBOX_PATH}">Back to all decisions</a></p>`;
}

function whoDecides({ approval: { roles, people, quorum, votes: given } }: OpenLook): Html {
  const who = [...roles, ...people].join(', ');
  return quorum === 1 ? html`one of ${who}` : html`${quorum} different people of ${who}; ${given.length} so far`;
}

function documents({ found, approval }: OpenLook): Html {
  const names = approval.documents.flatMap((uri) => fileNameOf(uri, found.taskId) ?? []);
  if (names.length === 0) return html``;
  const links = names.map((name) => html`<li><a href="${documentPath(approval.id, name)}">${name}</a></li>`);
  return html`<h3>Documents</h3>
    <ul>
      ${links}
    </ul>`;
}

function decisionPart(page: ApprovalPage): Html {
  const { look } = page;
  switch (look.mayDecide) {
    case 'own':
      return html`<p>This is a request of yours: somebody else decides.</p>`;
    case 'voted':
      return html`<p>${votedSentence(page)} It waits for others.</p>`;
    case 'yes':
      return html`${standInSentence(look)}
        <div id="claim">${claimForm(page)}</div>
        ${decisionForms({ approval: look.approval, csrf: page.csrf, ticket: page.ticket })} ${delegateLink(page)}`;
  }
}

/** What somebody has from others they cannot pass on; nor can those who are not in the list. */
function delegateLink({ look: { approval, standIn }, approvers, subject, canDelegate }: ApprovalPage): Html {
  const self = approvers.find((approver) => approver.subject === subject);
  if (!canDelegate || self === undefined || standIn !== undefined) return html``;
  const isNamed = approval.people.includes(subject);
  const role = isNamed ? '' : (approval.roles.find((asked) => self.roles.includes(asked)) ?? '');
  return html`<p>Not yours to decide now? <a href="${delegateRolePath(role)}">Have somebody stand in for you</a>.</p>`;
}

function votedSentence({ look: { approval, standIn }, subject }: ApprovalPage): string {
  if (approval.votes.some(({ person }) => person.subject === subject)) return 'You have decided.';
  return standIn === undefined ? 'It was decided in your name.' : `It was decided for ${standIn.person.name} already.`;
}

function standInSentence({ standIn }: OpenLook): Html {
  if (standIn === undefined) return html``;
  return html`<p>You decide for <strong>${standIn.person.name}</strong> as their delegate. Both names are kept.</p>`;
}

function claimForm({ look: { approval, claimedBy }, approvers, subject, csrf }: ApprovalPage): Html {
  const form = (act: 'claim' | 'release', text: string): Html =>
    html`<form method="post" action="${approvalPath(approval.id)}/${act}">
      <input type="hidden" name="csrf" value="${csrf}" />
      <button class="quiet">${text}</button>
    </form>`;
  if (claimedBy === subject) {
    return html`<p>You have said that you look at it.</p>
      ${form('release', 'Leave it to others')}`;
  }
  if (claimedBy !== undefined) return html`<p>${nameOf(claimedBy, approvers)} looks at it. You may still decide.</p>`;
  return form('claim', 'Say that I look at it');
}

export function decidedPage({ result, at, by }: DecidedApproval, history?: ShownHistory): Html {
  return html`<p>${decidedSentence(result, by)} ${clock(at)}.</p>
    ${history && html`<section aria-labelledby="past">${historyOf(history)}</section>`}
    <p><a href="${INBOX_PATH}">To the decisions that wait for you</a></p>`;
}
