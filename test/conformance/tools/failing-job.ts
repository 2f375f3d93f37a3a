import { sleep } from '@temporalio/workflow';
import { defineTool, toolError } from '../../../workflows/tool.ts';

export const failingJob = defineTool({
  name: 'failing_job',
  title: 'Failing job',
  description: 'Ends with a tool error after about a second.',
  input: (z) => z.object({}),
  task: 'required',
  run: async () => {
    await sleep(1_000);
    return toolError('The job failed, as it always does.');
  },
});
