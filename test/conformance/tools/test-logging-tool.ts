import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testLoggingTool = defineTool({
  name: 'test_logging_tool',
  title: 'Logging tool',
  description: 'Answers, and sends no log message: a task says how it goes in its status message.',
  input: (z) => z.object({}),
  task: 'never',
  run: async () => toolResult('Done, and nothing was logged to the client.'),
});
