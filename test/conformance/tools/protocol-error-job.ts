import { INTERNAL_ERROR } from '../../../protocol/extension.ts';
import { defineTool, protocolFailure } from '../../../workflows/tool.ts';

export const protocolErrorJob = defineTool({
  name: 'protocol_error_job',
  title: 'Protocol error job',
  description: 'Ends with a JSON-RPC error.',
  input: (z) => z.object({}),
  task: 'required',
  run: async () => {
    throw protocolFailure({ code: INTERNAL_ERROR, message: 'The job ended with a protocol error, as it always does.' });
  },
});
