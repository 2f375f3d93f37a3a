import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { defineTool, toolResult } from '../tool.ts';

const activities = proxyActivities<Activities>({
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 seconds' },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Compute',
});

export const slowCompute = defineTool({
  name: 'slow_compute',
  title: 'Compute slowly',
  description: 'Computes for a number of seconds and reports its progress: a task that only takes time.',
  input: (z) =>
    z.strictObject({
      seconds: z.int().min(0).max(3_600).describe('How long it takes'),
      label: z.string().max(100).optional().describe('A name for the result'),
    }),
  task: 'optional',
  summary: ({ seconds, label }) =>
    [label, `${seconds} s`]
      .filter((part) => part !== undefined)
      .join(' · ')
      .slice(0, 66),
  async run({ seconds, label }, task) {
    task.describe({ Seconds: String(seconds), ...(label === undefined ? {} : { Label: label }) });
    if (seconds > 0) await task.step('Compute', () => activities.slowCompute({ seconds }));
    return toolResult(`${label ?? 'The computation'} is done after ${seconds} s.`);
  },
});
