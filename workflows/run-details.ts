/** The run page of the Temporal UI: what a person wants to know of a run without opening a payload. */
import { statusOf, toDetailedTask, type TaskSnapshot } from '../protocol/task-state.ts';

/** A run page is for reading: only the latest steps are listed. */
const STEPS_SHOWN = 30;

/** Markdown for `setCurrentDetails`. */
export function runDetails(
  state: TaskSnapshot,
  facts: Readonly<Record<string, string>>,
  finishedSteps: readonly string[],
): string {
  const { statusMessage } = toDetailedTask(state);
  const lines = [
    ...Object.entries(facts).map(([name, value]) => `**${name}:** ${plain(value)}`),
    `**Status:** ${statusOf(state)}`,
    ...(statusMessage === undefined ? [] : [`**Now:** ${plain(statusMessage)}`]),
    `**Expires:** ${new Date(state.deadlineAt).toISOString()}`,
    `**Task:** \`${state.taskId}\``,
  ];
  const steps = finishedSteps.slice(-STEPS_SHOWN).map((words) => `- ✓ ${plain(words)}`);
  return [lines.join('  \n'), ...(steps.length > 0 ? [steps.join('\n')] : [])].join('\n\n');
}

/** What a caller wrote must not become a link, an image or a heading on an operator's page. */
function plain(value: string): string {
  return value.replace(/[\\`*_[\]()<>#|!]/g, '\\$&').replace(/\s+/g, ' ');
}
