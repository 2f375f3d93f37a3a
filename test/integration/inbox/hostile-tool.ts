/** A tool that writes markup wherever a tool may write. Workflow code: it runs in the sandbox. */
import { choice, choices, elicitation, text } from '../../../protocol/form.ts';
import { taskFileUri } from '../../../protocol/blob-ref.ts';
import { urlElicitation } from '../../../protocol/url-elicitation.ts';
import { defineTool, protocolFailure, toolError, toolResult } from '../../../workflows/tool.ts';
import { EVIL_URL, evil } from './evil.ts';

export const hostileTool = defineTool({
  name: 'hostile',
  title: 'Test',
  description: 'Test',
  task: 'optional',
  input: (z) => z.object({ ends: z.enum(['result', 'error', 'failure']) }),
  async run({ ends }, task) {
    const options = [{ value: evil('value'), title: evil('option') }];
    await task.ask({
      form: elicitation(evil('question'), {
        [evil('name')]: text({ description: evil('hint'), default: evil('default') }),
        titled: text({ title: evil('title') }),
        one: choice(options, { title: evil('one') }),
        some: choices(options, { title: evil('some') }),
      }),
      page: urlElicitation(evil('page'), EVIL_URL),
    });
    task.report(evil('report'));
    if (ends === 'failure') throw protocolFailure({ code: -32_603, message: evil('failure') });
    if (ends === 'error') return toolError(evil('error'));
    const uri = taskFileUri(task.id, evil('file'));
    return toolResult(evil('result'), { links: [{ type: 'resource_link', uri, name: evil('link') }] });
  },
});
