/** A tool that wants a scope of its own. Workflow code: it runs in the sandbox. */
import { flag } from '../../../protocol/form.ts';
import { createCatalog, defineTool, toolResult } from '../../../workflows/tool.ts';

export const catalog = createCatalog([
  defineTool({
    name: 'place_order',
    title: 'Place an order',
    description: 'Places an order, once it is confirmed.',
    task: 'optional',
    syncBudgetMs: 0,
    scopes: ['orders:write'],
    input: (z) => z.object({ isConfirmed: z.boolean() }),
    async run({ isConfirmed }, task) {
      if (isConfirmed) return toolResult('ordered');
      const reply = await task.elicit('Place it?', { place: flag() });
      return toolResult(reply.action === 'accept' ? 'ordered' : 'left');
    },
  }),
]);
