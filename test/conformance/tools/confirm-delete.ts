import { flag } from '../../../protocol/form.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const confirmDelete = defineTool({
  name: 'confirm_delete',
  title: 'Confirm delete',
  description: 'Asks before it pretends to delete a file.',
  input: (z) => z.object({ filename: z.string() }),
  task: 'required',
  run: async ({ filename }, task) => {
    const reply = await task.elicit(`Delete ${filename}?`, { confirm: flag({ title: 'Delete it' }) });
    const isConfirmed = reply.action === 'accept' && reply.content.confirm;
    return toolResult(isConfirmed ? `Deleted ${filename}.` : `Kept ${filename}.`);
  },
});
