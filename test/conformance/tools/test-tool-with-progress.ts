import { sleep } from '@temporalio/workflow';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testToolWithProgress = defineTool({
  name: 'test_tool_with_progress',
  title: 'Tool with progress',
  description: 'Takes two seconds, in which a caller who gave a progress token hears of it.',
  input: (z) => z.object({}),
  task: 'optional',
  run: async (_input, task) => {
    task.report('Working');
    await sleep(2_000);
    return toolResult('Done.');
  },
});
