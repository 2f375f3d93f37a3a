import { rootsList } from '../../../protocol/roots.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testInputRequiredResultListRoots = defineTool({
  name: 'test_input_required_result_list_roots',
  title: 'List roots',
  description: 'Asks for the roots of the caller by multi round trip.',
  input: (z) => z.object({ roots: z.array(z.string()).optional() }),
  task: 'never',
  askFirst: {
    questions: ({ roots }) => (roots === undefined ? { client_roots: rootsList() } : undefined),
    merge: (input, { client_roots }) =>
      client_roots === undefined ? input : { ...input, roots: client_roots.roots.map(({ uri }) => uri) },
  },
  run: async ({ roots = [] }) => toolResult(`The roots are: ${roots.join(', ')}`),
});
