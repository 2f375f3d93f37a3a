import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testSimpleText = defineTool({
  name: 'test_simple_text',
  title: 'Simple text',
  description: 'Answers with one text block.',
  input: (z) => z.object({}),
  task: 'never',
  run: async () => toolResult('This is a simple text response for testing.'),
});
