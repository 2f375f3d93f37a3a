import { defineTool, toolError } from '../../../workflows/tool.ts';

export const testErrorHandling = defineTool({
  name: 'test_error_handling',
  title: 'Error handling',
  description: 'Always says no.',
  input: (z) => z.object({}),
  task: 'never',
  run: async () => toolError('This tool intentionally returns an error for testing'),
});
