/** A tool whose caller says what other people are shown, and one that asks its caller. Workflow code: it runs in the sandbox. */
import { choice, choices, flag, integer, text } from '../../../protocol/form.ts';
import { taskFileUri } from '../../../protocol/blob-ref.ts';
import { hostileTool } from './hostile-tool.ts';
import { createCatalog, defineTool, toolResult } from '../../../workflows/tool.ts';

const base = { title: 'Test', description: 'Test', task: 'optional' } as const;

export const catalog = createCatalog([
  hostileTool,
  defineTool({
    ...base,
    name: 'decide',
    input: (z) =>
      z.object({
        title: z.string().optional(),
        details: z.record(z.string(), z.string()).optional(),
        reason: z.string().optional(),
        amount: z.string().optional(),
        role: z.string().optional(),
        people: z.array(z.string()).optional(),
        quorum: z.number().optional(),
        withinMs: z.number().optional(),
        remindAfterMs: z.array(z.number()).optional(),
        escalations: z.array(z.object({ afterMs: z.number(), role: z.string() })).optional(),
        asksAgain: z.boolean().optional(),
        document: z.string().optional(),
        byLink: z.boolean().optional(),
        options: z.array(z.object({ value: z.string(), title: z.string() })).optional(),
      }),
    async run({ options = [], document, byLink, asksAgain, ...asked }, task) {
      const link = { name: 'the candidate', mail: 'robin@example.com' };
      const words = { approve: 'Accept the offer', reject: 'Decline the offer' };
      // Who names people, and no role, asks them alone.
      const who = byLink === true ? { link, words } : asked.people === undefined ? { role: 'finance' } : {};
      const request = {
        ...who,
        title: 'Order 4 chairs',
        amount: '759.60 EUR',
        details: { Vendor: 'Nordlicht', Total: '759.60 EUR' },
        reason: 'Above 500 EUR somebody in finance decides.',
        withinMs: 3_600_000,
        ...asked,
        rejectOptions: options,
        canRequestChanges: true,
        ...(document === undefined ? {} : { documents: [taskFileUri(task.id, document)] }),
      };
      const first = await task.approval(request);
      const isAskedAgain = asksAgain === true && first.result === 'changes_requested';
      const outcome = isAskedAgain ? await task.approval({ ...request, title: `${request.title}, again` }) : first;
      const { result, votes, reason, option } = outcome;
      return toolResult(result, {
        structured: {
          result,
          by: votes.map(({ person }) => person.name),
          ...(reason === undefined ? {} : { reason }),
          ...(option === undefined ? {} : { option }),
        },
      });
    },
  }),
  defineTool({
    ...base,
    name: 'decide_many',
    input: (z) => z.object({ count: z.number() }),
    async run({ count }, task) {
      const asked = Array.from({ length: count }, (_, index) =>
        task.approval({
          role: 'finance',
          title: `Order ${String(index)} of ${task.id}`,
          amount: '759.60 EUR',
          details: { Vendor: 'Nordlicht', Total: '759.60 EUR' },
          reason: 'Above 500 EUR somebody in finance decides.',
          withinMs: 3_600_000 + index * 60_000,
        }),
      );
      await Promise.all(asked);
      return toolResult('done');
    },
  }),
  defineTool({
    ...base,
    name: 'ask',
    input: (z) => z.object({}),
    async run(_input, task) {
      const reply = await task.elicit('What shall it be?', {
        name: text({ title: 'Name', minLength: 2 }),
        count: integer({ title: 'How many', minimum: 1 }),
        gift: flag({ title: 'A gift' }),
        size: choice([
          { value: 's', title: 'Small' },
          { value: 'l', title: 'Large' },
        ]),
        colours: choices(['red', 'green', 'blue'], { title: 'Colours', minItems: 1 }),
      });
      return toolResult(reply.action, { structured: { reply: JSON.stringify(reply) } });
    },
  }),
]);
