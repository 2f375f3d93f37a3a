import { elicitation, text } from '../../../protocol/form.ts';
import { rootsList } from '../../../protocol/roots.ts';
import { sampling, type SamplingParams } from '../../../protocol/sampling.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

const GREETING: SamplingParams = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Generate a greeting' } }],
  maxTokens: 50,
};

export const testInputRequiredResultMultipleInputs = defineTool({
  name: 'test_input_required_result_multiple_inputs',
  title: 'Multiple inputs',
  description: 'Asks the person, the model and the host at once.',
  input: (z) =>
    z.object({ name: z.string().optional(), greeting: z.string().optional(), roots: z.array(z.string()).optional() }),
  task: 'never',
  askFirst: {
    questions: ({ name, greeting, roots }) => ({
      user_name: name === undefined ? elicitation('What is your name?', { name: text() }) : undefined,
      greeting: greeting === undefined ? sampling(GREETING) : undefined,
      client_roots: roots === undefined ? rootsList() : undefined,
    }),
    merge: (input, { user_name, greeting, client_roots }) => ({
      ...input,
      ...(user_name?.action === 'accept' ? { name: user_name.content.name } : {}),
      ...(greeting === undefined ? {} : { greeting: JSON.stringify(greeting.content) }),
      ...(client_roots === undefined ? {} : { roots: client_roots.roots.map(({ uri }) => uri) }),
    }),
  },
  run: async ({ name = 'nobody', greeting = '', roots = [] }) =>
    toolResult(`${greeting}, ${name}, of ${roots.join(', ')}`),
});
