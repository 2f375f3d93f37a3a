/** A tool whose work is an answer by a link, and that another link may end. Workflow code: it runs in the sandbox. */
import { createCatalog, defineTool, toolResult } from '../../workflows/tool.ts';
import { unlessEnded } from '../../workflows/way-out.ts';

const link = { name: 'the candidate', mail: 'robin@example.com' };

export const catalog = createCatalog([
  defineTool({
    name: 'offer',
    title: 'Test',
    description: 'Test',
    task: 'optional',
    input: (z) => z.object({ withinMs: z.number().optional() }),
    async run({ withinMs = 60_000 }, task) {
      const shown = { title: 'Offer', details: {}, reason: 'Yours.' };
      const wayOut = { ...shown, link: { ...link, isStanding: true as const }, withinMs: 3_600_000, remindAfterMs: [] };
      const outcome = await unlessEnded(task, wayOut, () => task.approval({ ...shown, link, withinMs }));
      const result = outcome?.result ?? 'ended';
      return toolResult(result, { structured: { result } });
    },
  }),
]);
