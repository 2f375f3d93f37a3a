import { elicitation, text } from '../../../protocol/form.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testToolWithTask = defineTool({
  name: 'test_tool_with_task',
  title: 'Tool with task',
  description: 'Asks for a name before the task exists, and greets in the task.',
  input: (z) => z.object({ user_name: z.string().optional() }),
  task: 'required',
  askFirst: {
    questions: ({ user_name }) =>
      user_name === undefined ? { user_name: elicitation('What is your name?', { name: text() }) } : undefined,
    merge: (input, { user_name }) =>
      user_name?.action === 'accept' ? { ...input, user_name: user_name.content.name } : input,
  },
  run: async ({ user_name = 'nobody' }) => toolResult(`Hello, ${user_name}!`),
});
