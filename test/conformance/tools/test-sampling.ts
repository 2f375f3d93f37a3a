import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testSampling = defineTool({
  name: 'test_sampling',
  title: 'Sampling in a task',
  description: 'Asks the model of the caller while it runs.',
  input: (z) => z.object({ prompt: z.string() }),
  task: 'optional',
  run: async ({ prompt }, task) => {
    const messages = [{ role: 'user', content: { type: 'text', text: prompt } }] as const;
    const { content } = await task.sample({ messages, maxTokens: 100 });
    return toolResult(`LLM response: ${JSON.stringify(content)}`);
  },
});
