/** Tools that ask before a task exists, and one that works in a task. Task bodies never run here. */
import { elicitation, flag, integer, text } from '../../protocol/form.ts';
import { rootsList } from '../../protocol/roots.ts';
import { createCatalog, defineTool, toolFailure, toolResult } from '../../workflows/tool.ts';

const base = { title: 'Test', description: 'Test', syncBudgetMs: 100 } as const;
const neverRuns = async (): Promise<never> => Promise.reject(new Error('a task body does not run in the front'));

export const askingCatalog = createCatalog([
  defineTool({
    ...base,
    name: 'book',
    task: 'optional',
    input: (z) => z.object({ room: z.string(), nights: z.int().optional(), breakfast: z.boolean().optional() }),
    askFirst: {
      questions: ({ nights, breakfast }) => ({
        ...(nights === undefined
          ? { nights: elicitation('How many nights?', { nights: integer({ minimum: 1 }) }) }
          : {}),
        ...(breakfast === undefined ? { breakfast: elicitation('Breakfast?', { breakfast: flag() }) } : {}),
      }),
      merge(input, { nights, breakfast }) {
        if (nights?.action === 'cancel') throw toolFailure('Nothing was booked.');
        return {
          ...input,
          ...(nights?.action === 'accept' ? nights.content : {}),
          ...(breakfast?.action === 'accept' ? breakfast.content : {}),
        };
      },
    },
    run: neverRuns,
  }),
  defineTool({
    ...base,
    name: 'always_a_task',
    task: 'required',
    input: (z) => z.object({ name: z.string().optional() }),
    askFirst: {
      questions: ({ name }) => (name === undefined ? { name: elicitation('Who?', { name: text() }) } : undefined),
      merge: (input, { name }) => (name?.action === 'accept' ? { ...input, name: name.content.name } : input),
    },
    run: neverRuns,
  }),
  defineTool({
    ...base,
    name: 'at_once',
    task: 'never',
    input: (z) => z.object({ name: z.string().optional(), root: z.string().optional() }),
    askFirst: {
      questions: ({ name, root }, client) => {
        if (name === undefined) return { name: elicitation('Who?', { name: text() }) };
        return root === undefined && client.roots ? { root: rootsList() } : undefined;
      },
      merge: (input, { name, root }) => ({
        name: name?.action === 'accept' ? name.content.name : input.name,
        root: root?.roots[0]?.uri ?? input.root,
      }),
    },
    run: async ({ name, root }) => toolResult(`Hello, ${name ?? ''} of ${root ?? 'nowhere'}!`),
  }),
  defineTool({ ...base, name: 'work', task: 'optional', input: (z) => z.object({ what: z.string() }), run: neverRuns }),
  defineTool({
    ...base,
    name: 'work_typed',
    task: 'optional',
    input: (z) => z.object({}),
    output: (z) => z.object({ done: z.boolean() }),
    run: neverRuns,
  }),
]);
