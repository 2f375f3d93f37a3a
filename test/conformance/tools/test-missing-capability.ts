import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testMissingCapability = defineTool({
  name: 'test_missing_capability',
  title: 'Missing capability',
  description: 'Is refused to clients that do not declare sampling.',
  input: (z) => z.object({}),
  task: 'optional',
  requires: ['sampling'],
  run: async () => toolResult('The client declared sampling.'),
});
