import { sleep } from '@temporalio/workflow';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const slowCompute = defineTool({
  name: 'slow_compute',
  title: 'Slow compute',
  description: 'Takes the given number of seconds.',
  input: (z) => z.object({ seconds: z.number().min(0).max(3_600), label: z.string().optional() }),
  task: 'optional',
  // What takes no time is answered at once, however slow the machine is.
  syncBudgetMs: ({ seconds }) => (seconds === 0 ? 30_000 : 1_000),
  summary: ({ seconds }) => `computes for ${seconds} s`,
  run: async ({ seconds, label = 'job' }, task) => {
    if (seconds > 0) {
      task.report(`Computing for ${seconds} s`);
      await sleep(seconds * 1_000);
    }
    return toolResult(`${label}: computed for ${seconds} s`);
  },
});
