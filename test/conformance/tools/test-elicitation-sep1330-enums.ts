import { choice, choices } from '../../../protocol/form.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

const PLAIN = ['option1', 'option2', 'option3'];
const TITLED = [
  { value: 'value1', title: 'First' },
  { value: 'value2', title: 'Second' },
];

export const testElicitationSep1330Enums = defineTool({
  name: 'test_elicitation_sep1330_enums',
  title: 'Elicitation with choices',
  description: 'Puts a form with one choice of each kind.',
  input: (z) => z.object({}),
  task: 'optional',
  run: async (_input, task) => {
    const reply = await task.elicit('Please choose.', {
      untitledSingle: choice(PLAIN),
      titledSingle: choice(TITLED),
      untitledMulti: choices(PLAIN),
      titledMulti: choices(TITLED),
    });
    return toolResult(`Elicitation completed: ${JSON.stringify(reply)}`);
  },
});
