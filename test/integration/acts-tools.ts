/** Tools whose acts are recorded. Workflow code: it runs in the sandbox. */
import { sleep } from '@temporalio/workflow';
import { text } from '../../protocol/form.ts';
import { createCatalog, defineTool, toolResult } from '../../workflows/tool.ts';

const base = { title: 'Test', description: 'Test', task: 'optional' } as const;

export const catalog = createCatalog([
  defineTool({
    ...base,
    name: 'buy',
    input: (z) => z.object({}),
    async run(_input, task) {
      const reply = await task.elicit('What for?', { reason: text({ minLength: 3 }) });
      if (reply.action !== 'accept') return toolResult('nothing bought');
      const outcome = await task.approval({
        role: 'finance',
        people: ['cfo'],
        title: 'Order 4 chairs',
        amount: '759.60 EUR',
        details: { Vendor: 'Nordlicht', Reason: reply.content.reason },
        reason: 'Above 500 EUR somebody in finance decides.',
        quorum: 2,
        withinMs: 60_000,
        remindAfterMs: [100],
        escalations: [{ afterMs: 200, role: 'board' }],
      });
      if (outcome.result !== 'approved') return toolResult('nothing bought');
      const order = await task.effect(
        'Post the order',
        async () => ({ number: 'PO-0001' }),
        async () => undefined,
        ({ number }) => number,
      );
      return toolResult(`bought with ${order.number}`);
    },
  }),
  defineTool({
    ...base,
    name: 'quick',
    input: (z) => z.object({}),
    async run() {
      return toolResult('done');
    },
  }),
  defineTool({
    ...base,
    name: 'rounds',
    input: (z) => z.object({ left: z.number(), reports: z.number().optional(), pauseMs: z.number().optional() }),
    async run({ left, reports = 1, pauseMs = 0 }, task) {
      for (let count = 0; count < reports; count += 1) {
        await task.effect(
          `Round ${String(left)}, ${String(count)}`,
          async () => undefined,
          async () => undefined,
        );
      }
      if (pauseMs > 0) await sleep(pauseMs);
      return left === 0 ? toolResult('done') : task.continueAs({ left: left - 1, reports, pauseMs });
    },
  }),
]);
