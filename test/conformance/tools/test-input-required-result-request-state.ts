import { elicitation, flag } from '../../../protocol/form.ts';
import { defineTool, toolResult } from '../../../workflows/tool.ts';

export const testInputRequiredResultRequestState = defineTool({
  name: 'test_input_required_result_request_state',
  title: 'Request state',
  description: 'Confirms by multi round trip.',
  input: (z) => z.object({ ok: z.boolean().optional() }),
  task: 'never',
  askFirst: {
    questions: ({ ok }) => (ok === undefined ? { confirm: elicitation('Please confirm', { ok: flag() }) } : undefined),
    merge: (input, { confirm }) => (confirm?.action === 'accept' ? { ...input, ok: confirm.content.ok } : input),
  },
  run: async ({ ok = false }) => toolResult(`state-ok: ${ok ? 'confirmed' : 'not confirmed'}`),
});
