/** A tool that only notes that it was begun. Workflow code: it runs in the sandbox. */
import { proxyActivities } from '@temporalio/workflow';
import { createCatalog, defineTool, toolResult } from '../../workflows/tool.ts';

const { begin } = proxyActivities<{ begin(who: string): Promise<void> }>({ startToCloseTimeout: '20 seconds' });

export const catalog = createCatalog([
  defineTool({
    name: 'begin',
    title: 'Begin',
    description: 'Notes who began.',
    task: 'required',
    input: (z) => z.object({ who: z.string() }),
    async run({ who }) {
      await begin(who);
      return toolResult('begun');
    },
  }),
]);
