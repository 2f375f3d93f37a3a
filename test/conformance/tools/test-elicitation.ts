import { email, elicitation, text } from '../../../protocol/form.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testElicitation = defineTool({
  name: 'test_elicitation',
  title: 'Elicitation in a task',
  description: 'Asks for a name and an address while it runs.',
  input: (z) => z.object({ message: z.string() }),
  task: 'optional',
  run: async ({ message }, task) => {
    const { response } = await task.ask({ response: elicitation(message, { username: text(), email: email() }) });
    return toolResult(`User response: ${JSON.stringify(response)}`);
  },
});
