import { choice, flag, integer, number, text } from '../../../protocol/form.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testElicitationSep1034Defaults = defineTool({
  name: 'test_elicitation_sep1034_defaults',
  title: 'Elicitation with defaults',
  description: 'Puts a form whose fields are filled in already.',
  input: (z) => z.object({}),
  task: 'optional',
  run: async (_input, task) => {
    const reply = await task.elicit('Is this right?', {
      name: text({ default: 'John Doe' }),
      age: integer({ default: 30 }),
      score: number({ default: 95.5 }),
      status: choice(['active', 'inactive', 'pending'], { default: 'active' }),
      verified: flag({ default: true }),
    });
    return toolResult(`Elicitation completed: ${JSON.stringify(reply)}`);
  },
});
