import { elicitation, text } from '../../../protocol/form.ts';
import { sampling, type SamplingParams } from '../../../protocol/sampling.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

const NAME: SamplingParams = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Think of a name.' } }],
  maxTokens: 50,
};

export const testInputRequiredResultCapabilities = defineTool({
  name: 'test_input_required_result_capabilities',
  title: 'Capabilities',
  description: 'Asks only what the client declared that it can answer.',
  input: (z) => z.object({ answer: z.string().optional() }),
  task: 'never',
  askFirst: {
    questions: ({ answer }, client) => {
      if (answer !== undefined) return undefined;
      return {
        person: client.elicitationForm ? elicitation('What is your name?', { name: text() }) : undefined,
        model: client.sampling ? sampling(NAME) : undefined,
      };
    },
    merge: (input, { person, model }) => {
      if (person?.action === 'accept') return { ...input, answer: person.content.name };
      return model === undefined ? input : { ...input, answer: JSON.stringify(model.content) };
    },
  },
  run: async ({ answer = 'nothing' }) => toolResult(`The answer was: ${answer}`),
});
