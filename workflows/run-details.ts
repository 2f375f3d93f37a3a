/** The run page of the Temporal UI: what a person wants to know of a run without opening a payload. */
import { voteText, waitingText, type Approval } from '../protocol/approval.ts';
import { isWaitedFor } from '../protocol/link-holder.ts';
import { wordsOf } from '../protocol/complaint.ts';
import { statusOf, type TaskSnapshot } from '../protocol/task-state.ts';
import { toDetailedTask } from '../protocol/detailed-task.ts';

/** A run page is for reading: only the latest steps are listed. */
const STEPS_SHOWN = 30;
/** The UI (2.42) makes the frame some 30 pixels too low: what it cuts off is this empty paragraph and no step. */
const LAST_LINE = '\u00a0';

/** Markdown for `setCurrentDetails`. */
export function runDetails(
  state: TaskSnapshot,
  facts: Readonly<Record<string, string>>,
  finishedSteps: readonly string[],
): string {
  const status = state.settling?.status ?? statusOf(state);
  const lines = [
    ...Object.entries(facts).map(([name, value]) => line(name, plain(value))),
    line('Status', plain(status)),
    ...presentOf(state),
    line('Task', `\`${state.taskId}\``),
  ];
  const steps = finishedSteps.slice(-STEPS_SHOWN).map((words) => `- ✓ ${plain(words)}`);
  return [lines.join('  \n'), ...(steps.length > 0 ? [steps.join('\n')] : []), LAST_LINE].join('\n\n');
}

/** What is being done or asked; nothing once the outcome is fixed. */
function presentOf(state: TaskSnapshot): readonly string[] {
  if (state.settling !== undefined) return [];
  const expires = line('Expires', new Date(state.deadlineAt).toISOString());
  const questions = Object.values(state.requests).map((request) => line('Asks its caller', plain(wordsOf(request))));
  if (questions.length > 0) return [...questions, expires];
  const approvals = (state.approvals ?? []).filter(isWaitedFor).flatMap(approvalLines);
  if (approvals.length > 0) return [...approvals, expires];
  const { statusMessage } = toDetailedTask(state);
  return [...(statusMessage === undefined ? [] : [line('Now', plain(statusMessage))]), expires];
}

function approvalLines(approval: Approval): readonly string[] {
  const since = new Date(approval.openedAt).toISOString();
  return [
    line('Needs a decision', plain(approval.title)),
    line('Now', plain(`${waitingText(approval)}, since ${since}`)),
    ...approval.votes.map((vote) => line('Decided so far', plain(voteText(vote)))),
  ];
}

function line(name: string, markdown: string): string {
  return `**${name}:** ${markdown}`;
}

/** What a caller wrote must not become a link, an image or a heading on an operator's page. */
function plain(value: string): string {
  return value.replace(/[\\`*_[\]()<>#|!]/g, '\\$&').replace(/\s+/g, ' ');
}
