/** Case tools that carry more than Temporal takes. Their activities are retried for ever, as Temporal has it by itself. */
import { proxyActivities } from '@temporalio/workflow';
import { taskFileUri } from '../../../../protocol/blob-ref.ts';
import { defineTool, protocolFailure, toolResult } from '../../../../workflows/tool.ts';
import type { CaseActivities } from './case-activities.ts';

const { failAtLength, giveText, storeText } = proxyActivities<CaseActivities>({
  startToCloseTimeout: '20 seconds',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

const base = { title: 'Case', description: 'Case', task: 'required' } as const;

export const largeTools = [
  defineTool({
    ...base,
    name: 'give_large',
    input: (z) => z.object({ bytes: z.int(), where: z.string() }),
    async run({ bytes, where }, task) {
      switch (where) {
        case 'an activity':
          return toolResult(await giveText({ bytes }));
        case 'a file': {
          const { name, mimeType, ref } = await storeText({ owner: { caller: task.caller, taskId: task.id }, bytes });
          const uri = taskFileUri(task.id, name);
          return toolResult('stored', { links: [{ type: 'resource_link', uri, name, mimeType, size: ref.bytes }] });
        }
        case 'the failure of an activity':
          await failAtLength({ bytes });
          break;
        case 'the data of an error':
          throw protocolFailure({ code: -31555, message: 'No such quota.', data: 'x'.repeat(bytes) });
      }
      return toolResult('x'.repeat(bytes));
    },
  }),
  defineTool({
    ...base,
    name: 'gather',
    input: (z) => z.object({ count: z.int(), bytes: z.int() }),
    async run({ count, bytes }) {
      const texts = await Promise.all(Array.from({ length: count }, () => giveText({ bytes })));
      return toolResult(`${String(texts.join('').length)} bytes`);
    },
  }),
  defineTool({
    ...base,
    name: 'take_text',
    input: (z) => z.object({ text: z.string() }),
    run: async ({ text }) => toolResult(`${String(text.length)} characters`),
  }),
];
