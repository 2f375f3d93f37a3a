import { defineTool, toolResult } from '../tool.ts';

export const greet = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets by name, at once: a tool that needs no task.',
  input: (z) => z.strictObject({ name: z.string().min(1).max(200) }),
  task: 'never',
  run: async ({ name }) => toolResult(`Hello, ${name}!`),
});
