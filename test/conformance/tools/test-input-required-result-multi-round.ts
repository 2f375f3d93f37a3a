import { elicitation, text } from '../../../protocol/form.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testInputRequiredResultMultiRound = defineTool({
  name: 'test_input_required_result_multi_round',
  title: 'Multi round',
  description: 'Asks twice, the second question after the first answer.',
  input: (z) => z.object({ name: z.string().optional(), color: z.string().optional() }),
  task: 'never',
  askFirst: {
    questions: ({ name, color }) => {
      if (name === undefined) return { step1: elicitation('Step 1: What is your name?', { name: text() }) };
      if (color === undefined) return { step2: elicitation('Step 2: What is your favorite color?', { color: text() }) };
      return undefined;
    },
    merge: (input, { step1, step2 }) => ({
      ...input,
      ...(step1?.action === 'accept' ? { name: step1.content.name } : {}),
      ...(step2?.action === 'accept' ? { color: step2.content.color } : {}),
    }),
  },
  run: async ({ name = 'Somebody', color = 'no color' }) => toolResult(`${name} likes ${color}.`),
});
