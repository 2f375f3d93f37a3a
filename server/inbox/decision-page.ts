/** What became of a decision, in words for whoever took it. */
import { html } from 'hono/html';
import type { DecisionRefusal, DecisionVerdict } from '../../protocol/decision.ts';
import { decidedSentence } from '../approvals/decided-sentence.ts';
import type { Html } from './html.ts';
import { approvalPath, INBOX_PATH } from './paths.ts';
import { clock } from './times.ts';

/** Without content: it reads as not found. */
export function verdictPage(
  verdict: DecisionVerdict,
  approvalId: string,
): { readonly title: string; readonly content: Html | undefined } {
  if (!verdict.counted) {
    const sentence = refusalSentence(verdict.refusal);
    const again = html`<p><a href="${approvalPath(approvalId)}">Look at it again</a></p>`;
    return {
      title: 'Your decision does not count',
      content:
        sentence &&
        html`<p role="status">${sentence}</p>
          ${again} ${toQueue()}`,
    };
  }
  const { votes, quorum, decided } = verdict;
  const outcome =
    decided === undefined
      ? html`${votes} of ${quorum}. It waits for others.`
      : html`${quorum > 1 && decided.result === 'approved' ? html`${votes} of ${quorum}. ` : ''}
        ${decidedSentence(decided.result, decided.by)} ${clock(decided.at)}.`;
  return {
    title: 'Your decision counts',
    content: html`<p role="status">${outcome}</p>
      ${toQueue()}`,
  };
}

function toQueue(): Html {
  return html`<p><a href="${INBOX_PATH}">To the decisions that wait for you</a></p>`;
}

function refusalSentence(refusal: DecisionRefusal): Html | undefined {
  switch (refusal.code) {
    case 'unknown':
    case 'not_asked':
      return undefined;
    case 'decided':
      return html`It is decided already. ${decidedSentence(refusal.decided.result, refusal.decided.by)}
      ${clock(refusal.decided.at)}.`;
    case 'expired':
      return html`It was due before your decision came.`;
    case 'own':
      return html`This is a request of yours, or of the person you decide for: somebody else decides.`;
    case 'not_offered':
      return html`This answer is not offered like that: whoever says no, or asks for changes, gives a reason and chooses
      one of the ways that are named.`;
    case 'changed':
      return html`The content has changed since you were shown it. Look at it again before you decide.`;
    case 'unsigned':
      return html`The workers of this server do not take its decisions at the moment. Its operator compares DECISION_KEY
      of fronts and workers. Your decision can be sent again then.`;
    case 'unchecked':
      return html`It could not be checked just now, and does not count. Open the approval again and decide once more.`;
    case 'voted':
      return html`You have decided already, at ${clock(refusal.at)}.`;
  }
}

export function pendingPage(
  answer: 'unconfirmed' | 'unsent',
  again: { readonly address: string; readonly csrf: string; readonly sent: string },
): { readonly title: string; readonly content: Html } {
  const words =
    answer === 'unsent'
      ? 'The server could not reach Temporal, so your decision has not left it. Send it again in a moment.'
      : 'Your decision was sent. It is not confirmed yet: this page looks again by itself until it is. It may be that no ' +
        'worker runs at the moment. Sending it again is safe: it is the same decision, and counts once.';
  return {
    title: answer === 'unsent' ? 'Not sent yet' : 'Sent, not yet confirmed',
    content: html`<p role="status">${words}</p>
      <form method="post" action="${again.address}">
        <input type="hidden" name="csrf" value="${again.csrf}" />
        <input type="hidden" name="sent" value="${again.sent}" />
        <button class="quiet">Send it again</button>
      </form>
      ${toQueue()}`,
  };
}
