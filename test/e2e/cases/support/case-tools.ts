/** Tools that the product does not have and the public cases need. Workflow code: it runs in the sandbox. */
import { proxyActivities } from '@temporalio/workflow';
import { flag } from '../../../../protocol/form.ts';
import type { JsonObject, JsonValue } from '../../../../protocol/task.ts';
import {
  createCatalog,
  defineTool,
  protocolFailure,
  toolFailure,
  toolResult,
  type TaskTool,
} from '../../../../workflows/tool.ts';
import type { CaseActivities } from './case-activities.ts';
import { askingTools } from './asking-tools.ts';
import { largeTools } from './large-tools.ts';
import { oddValue } from './odd-values.ts';

const activities = proxyActivities<CaseActivities>({
  startToCloseTimeout: '20 seconds',
  heartbeatTimeout: '5 seconds',
  // A worker that gets no processor for five seconds is not heard of either.
  retry: { initialInterval: '50 milliseconds', maximumAttempts: 5 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

const base = { title: 'Case', description: 'Case', task: 'optional' } as const;
const DAY_MS = 86_400_000;

function asking(name: string, ttlMs: number): TaskTool {
  return defineTool({
    ...base,
    name,
    task: 'required',
    ttlMs,
    maxTtlMs: ttlMs,
    input: (z) => z.object({}),
    async run(_input, task) {
      const reply = await task.elicit('Approve?', { yes: flag() });
      return toolResult(`approved: ${reply.action}`);
    },
  });
}

const odd = (kind: string): JsonObject => ({ value: oddValue(kind) as JsonValue });

export const catalog = createCatalog([
  ...askingTools,
  ...largeTools,
  asking('ask_2_seconds', 2_000),
  asking('ask_20_seconds', 20_000),
  asking('ask_1_minute', 60_000),
  asking('ask_30_days', 30 * DAY_MS),
  asking('ask_60_days', 60 * DAY_MS),
  defineTool({
    ...base,
    name: 'work_for',
    task: 'required',
    input: (z) => z.object({ ms: z.number() }),
    run: async ({ ms }) => toolResult(await activities.workFor({ ms })),
  }),
  defineTool({
    ...base,
    name: 'carry',
    input: (z) => z.object({ kind: z.string(), where: z.string() }),
    output: (z) => z.object({ value: z.number() }),
    syncBudgetMs: 30_000,
    async run({ kind, where }) {
      switch (where) {
        case 'the result':
          return toolResult('carried', { structured: odd(kind) });
        case 'the data of an error':
          throw protocolFailure({ code: -31555, message: 'No such quota.', data: odd(kind) });
        case 'the result of an activity':
          return toolResult('carried', { structured: (await activities.giveOdd({ kind })) as JsonObject });
        case 'the details of an activity failure':
          await activities.failWithOdd({ kind });
          break;
        case 'a heartbeat':
          return toolResult(await activities.heartbeatOdd({ kind }));
      }
      return toolResult('carried');
    },
  }),
  defineTool({
    name: 'carry_at_once',
    title: 'Case',
    description: 'Case',
    task: 'never',
    input: (z) => z.object({ kind: z.string(), where: z.string() }),
    async run({ kind, where }) {
      if (where === 'the result') return toolResult('carried', { structured: odd(kind) });
      throw protocolFailure({ code: -31555, message: 'No such quota.', data: odd(kind) });
    },
  }),
  defineTool({
    ...base,
    name: 'end_with',
    input: (z) => z.object({ how: z.string(), asTask: z.boolean() }),
    output: (z) => z.object({ value: z.number() }),
    syncBudgetMs: ({ asTask }) => (asTask ? 0 : 30_000),
    async run({ how }, task) {
      switch (how) {
        case 'a rejection':
          throw toolFailure('The supplier refused the order.');
        case 'a rejection by an activity':
          await activities.fail({ how: 'rejected' });
          break;
        case 'an unexpected throw':
          await activities.fail({ how: 'crashed' });
          break;
        case 'a protocol fault':
          throw protocolFailure({ code: -31555, message: 'No such quota.', data: { quota: 3 } });
        case 'a late question': {
          const reply = await task.elicit('Go on?', { yes: flag() });
          return toolResult(reply.action, { structured: { value: 1 } });
        }
      }
      return toolResult('fine', { structured: { value: 1 } });
    },
  }),
]);
