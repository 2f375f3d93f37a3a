/** Tools that wait for other people. Workflow code: it runs in the sandbox. */
import { createCatalog, defineTool, toolResult } from '../../workflows/tool.ts';

const base = { title: 'Test', description: 'Test', task: 'optional' } as const;

export const catalog = createCatalog([
  defineTool({
    ...base,
    name: 'approve',
    input: (z) =>
      z.object({
        quorum: z.number().optional(),
        withinMs: z.number().optional(),
        escalateAfterMs: z.number().optional(),
        people: z.array(z.string()).optional(),
        onExpiry: z.enum(['expired', 'rejected']).optional(),
      }),
    async run({ quorum = 1, withinMs = 60_000, escalateAfterMs, people, onExpiry }, task) {
      const outcome = await task.approval({
        role: 'finance',
        ...(people === undefined ? {} : { people }),
        title: 'Order 4 chairs',
        details: { Vendor: 'Nordlicht', Total: '759.60 EUR' },
        reason: 'Above 500 EUR somebody in finance decides.',
        quorum,
        withinMs,
        ...(onExpiry === undefined ? {} : { onExpiry }),
        rejectOptions: [
          { value: 'too_expensive', title: 'Too expensive' },
          { value: 'not_needed', title: 'Not needed' },
        ],
        canRequestChanges: true,
        ...(escalateAfterMs === undefined ? {} : { escalations: [{ afterMs: escalateAfterMs, role: 'board' }] }),
      });
      const { result, option, votes } = outcome;
      return toolResult(result, {
        structured: { result, by: votes.map(({ person }) => person.name), ...(option === undefined ? {} : { option }) },
      });
    },
  }),
]);
