import { choice, choices, type Field } from '../../../protocol/form.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

const PLAIN = ['option1', 'option2', 'option3'];
const TITLED = [
  { value: 'value1', title: 'First' },
  { value: 'value2', title: 'Second' },
];

/** How titles were written before: clients still have to show it, so no builder makes new ones. */
const TITLED_BEFORE: Field<string> = {
  schema: { type: 'string', enum: ['opt1', 'opt2'], enumNames: ['First option', 'Second option'] },
  isRequired: true,
};

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
      legacyEnum: TITLED_BEFORE,
      untitledMulti: choices(PLAIN),
      titledMulti: choices(TITLED),
    });
    return toolResult(`Elicitation completed: ${JSON.stringify(reply)}`);
  },
});
