import { sampling } from '../../../protocol/sampling.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testInputRequiredResultSampling = defineTool({
  name: 'test_input_required_result_sampling',
  title: 'Sampling',
  description: 'Asks the model of the caller by multi round trip.',
  input: (z) => z.object({ answer: z.string().optional() }),
  task: 'never',
  askFirst: {
    questions: ({ answer }) =>
      answer === undefined
        ? {
            capital_question: sampling({
              messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
              maxTokens: 100,
            }),
          }
        : undefined,
    merge: (input, { capital_question }) =>
      capital_question === undefined ? input : { ...input, answer: JSON.stringify(capital_question.content) },
  },
  run: async ({ answer = '' }) => toolResult(`The model said: ${answer}`),
});
