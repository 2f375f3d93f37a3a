/** Tools that ask before their body begins. Workflow code: it runs in the sandbox. */
import { elicitation, flag, integer } from '../../protocol/form.ts';
import { createCatalog, defineTool, toolFailure, toolResult } from '../../workflows/tool.ts';

const base = { title: 'Test', description: 'Test', syncBudgetMs: 0 } as const;

export const NIGHTS = 'How many nights?';
export const BREAKFAST = 'Breakfast?';

export const catalog = createCatalog([
  defineTool({
    ...base,
    name: 'book',
    task: 'optional',
    input: (z) => z.object({ room: z.string(), nights: z.int().optional(), breakfast: z.boolean().optional() }),
    askFirst: {
      // The second question depends on the first answer: it takes a round of its own.
      questions: ({ nights, breakfast }) => {
        if (nights === undefined) return { nights: elicitation(NIGHTS, { nights: integer({ minimum: 1 }) }) };
        return nights > 1 && breakfast === undefined
          ? { breakfast: elicitation(BREAKFAST, { breakfast: flag() }) }
          : undefined;
      },
      merge(input, { nights, breakfast }) {
        if (nights?.action === 'cancel') throw toolFailure('Nothing was booked.');
        return {
          ...input,
          ...(nights?.action === 'accept' ? nights.content : {}),
          ...(breakfast?.action === 'accept' ? breakfast.content : {}),
        };
      },
    },
    run: async (input, task) => toolResult(`${task.id} ${JSON.stringify(input)}`),
  }),
  defineTool({
    ...base,
    name: 'book_in_two_runs',
    task: 'required',
    input: (z) => z.object({ nights: z.int().optional(), isSecond: z.boolean().default(false) }),
    askFirst: {
      questions: ({ nights }) =>
        nights === undefined ? { nights: elicitation(NIGHTS, { nights: integer({ minimum: 1 }) }) } : undefined,
      merge: (input, { nights }) => (nights?.action === 'accept' ? { ...input, ...nights.content } : input),
    },
    async run({ nights, isSecond }, task) {
      // Without the answer: whether the second run asks again is what shows.
      return isSecond ? toolResult(`nights: ${String(nights)}`) : task.continueAs({ isSecond: true });
    },
  }),
]);
