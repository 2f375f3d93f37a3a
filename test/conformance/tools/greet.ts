import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const greet = defineTool({
  name: 'greet',
  title: 'Greet',
  description: 'Greets by name, at once.',
  input: (z) => z.object({ name: z.string() }),
  task: 'never',
  run: async ({ name }) => toolResult(`Hello, ${name}!`),
});
