/** Tools whose tasks change in ways that a listener must not miss. Workflow code: it runs in the sandbox. */
import { proxyActivities, sleep } from '@temporalio/workflow';
import { elicitation, flag } from '../../../protocol/form.ts';
import { createCatalog, defineTool, protocolFailure, toolResult } from '../../../workflows/tool.ts';
import type { PushActivities } from './push-activities.ts';

const { tick, writePages } = proxyActivities<PushActivities>({
  startToCloseTimeout: '60 seconds',
  heartbeatTimeout: '20 seconds',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

const base = { title: 'Test', description: 'Test', task: 'required' } as const;

export const catalog = createCatalog([
  defineTool({
    ...base,
    name: 'ask_twice',
    input: (z) => z.object({}),
    async run(_input, task) {
      await task.elicit('First?', { ok: flag() });
      const second = await task.elicit('Second?', { ok: flag() });
      return toolResult(second.action);
    },
  }),
  defineTool({
    ...base,
    name: 'ask_at_once',
    input: (z) => z.object({}),
    async run(_input, task) {
      await task.ask({ left: elicitation('Left?', { ok: flag() }), right: elicitation('Right?', { ok: flag() }) });
      return toolResult('both answered');
    },
  }),
  defineTool({
    ...base,
    name: 'go_on',
    input: (z) => z.object({ run: z.number() }),
    async run({ run }, task) {
      await task.elicit(`Go on after run ${String(run)}?`, { ok: flag() });
      return run < 3 ? task.continueAs({ run: run + 1 }) : toolResult('went on');
    },
  }),
  defineTool({
    ...base,
    name: 'report',
    input: (z) => z.object({}),
    async run(_input, task) {
      for (const part of ['one', 'two', 'three']) await task.step(`Part ${part}`, tick);
      throw protocolFailure({ code: -31555, message: 'No such quota.' });
    },
  }),
  defineTool({
    ...base,
    name: 'wait',
    input: (z) => z.object({}),
    async run() {
      await sleep('10 minutes');
      return toolResult('waited');
    },
  }),
  defineTool({
    ...base,
    name: 'write_pages',
    input: (z) => z.object({ pages: z.number() }),
    async run({ pages }) {
      await writePages(pages);
      return toolResult('written');
    },
  }),
  defineTool({
    ...base,
    name: 'be_bulky',
    input: (z) => z.object({ snapshots: z.number(), bytes: z.number() }),
    async run({ snapshots, bytes }, task) {
      for (let count = 1; count <= snapshots; count += 1) {
        // A moved deadline is published at once, and the message with it.
        task.report(`${String(count)} `.padEnd(bytes, '.'));
        task.extend(1);
        await tick();
      }
      await task.elicit('Done?', { ok: flag() });
      return toolResult('bulky');
    },
  }),
]);
