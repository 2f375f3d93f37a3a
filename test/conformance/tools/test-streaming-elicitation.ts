import { elicitation, text } from '../../../protocol/form.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testStreamingElicitation = defineTool({
  name: 'test_streaming_elicitation',
  title: 'Streaming elicitation',
  description: 'Asks for a name by multi round trip.',
  input: (z) => z.object({ user_name: z.string().optional() }),
  task: 'never',
  askFirst: {
    questions: ({ user_name }) =>
      user_name === undefined ? { user_name: elicitation('What is your name?', { name: text() }) } : undefined,
    merge: (input, { user_name }) =>
      user_name?.action === 'accept' ? { ...input, user_name: user_name.content.name } : input,
  },
  run: async ({ user_name = 'nobody' }) => toolResult(`Hello, ${user_name}!`),
});
