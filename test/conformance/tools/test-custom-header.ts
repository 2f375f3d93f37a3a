import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testCustomHeader = defineTool({
  name: 'test_custom_header',
  title: 'Custom header',
  description: 'Takes an argument that a client repeats in a header.',
  input: (z) => z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
  task: 'never',
  run: async ({ region }) => toolResult(`In ${region}.`),
});
