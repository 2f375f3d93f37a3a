import { elicitation, flag, text } from '../../../protocol/form.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const multiInput = defineTool({
  name: 'multi_input',
  title: 'Multi input',
  description: 'Asks two questions at once.',
  input: (z) => z.object({}),
  task: 'required',
  run: async (_input, task) => {
    const replies = await task.ask({
      name: elicitation('What is your name?', { name: text() }),
      confirm: elicitation('Go on?', { confirm: flag() }),
    });
    return toolResult(`name: ${replies.name.action}, confirm: ${replies.confirm.action}`);
  },
});
