import { waitForTask } from '../wait-for-task.ts';
import { defineFallbackTool } from './fallback-tool.ts';
import { taskIdArgument } from './task-id-argument.ts';
import { viewOfTask } from './task-view.ts';

export const taskAnswer = defineFallbackTool({
  name: 'task_answer',
  title: 'Answer a task',
  onlyReads: false,
  description:
    'Gives a task the answers to its open questions, as task_wait shows them. Only pass on what the user has said. An ' +
    'answer that does not fit is asked for again under a new key.',
  input: (z) =>
    z.object({
      id: taskIdArgument(z),
      answers: z
        .record(z.string(), z.unknown())
        .describe('By key: {"action":"accept","content":{…}} with the fields asked for, or {"action":"decline"}'),
    }),
  async run({ id, answers }, parts, waiting) {
    const { store, caller, budgets } = parts;
    const before = await store.get(caller, id);
    const open = before.status === 'input_required' ? before.inputRequests : {};
    const known = Object.entries(answers).filter(([key]) => Object.hasOwn(open, key));
    if (known.length === 0) {
      const problem = Object.keys(open).length === 0 ? 'it asks nothing' : 'no question has one of these keys';
      const view = viewOfTask(parts, before, `Nothing was answered: ${problem}. `);
      return { ...view, isError: true };
    }
    await store.deliver(caller, id, Object.fromEntries(known));
    const task = await waitForTask(parts, waiting, await store.get(caller, id), budgets.syncBudgetMs);
    const ignored = Object.keys(answers).length - known.length;
    return viewOfTask(parts, task, ignored > 0 ? `${String(ignored)} of the answers had no open question. ` : '');
  },
});
