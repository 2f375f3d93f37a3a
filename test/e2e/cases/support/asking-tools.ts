/** Case tools that ask: two questions at once, every kind of form, and one that goes on with a fresh history. */
import { proxyActivities } from '@temporalio/workflow';
import {
  choice,
  choices,
  date,
  dateTime,
  elicitation,
  email,
  flag,
  integer,
  number,
  optional,
  text,
  uri,
  type ElicitReply,
  type Form,
} from '../../../../protocol/form.ts';
import type { JsonObject } from '../../../../protocol/task.ts';
import { defineTool, toolResult } from '../../../../workflows/tool.ts';
import type { CaseActivities } from './case-activities.ts';

const { book } = proxyActivities<CaseActivities>({
  startToCloseTimeout: '20 seconds',
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

const base = { title: 'Case', description: 'Case', task: 'required' } as const;

const FORMS: Readonly<Record<string, Form>> = {
  approve: { approve: flag({ default: true }) },
  numbers: {
    amount: optional(number({ minimum: 0.01, maximum: 5_000 })),
    qty: optional(integer({ minimum: 1 })),
  },
  choices: {
    one: optional(choice([{ value: 'A', title: 'Alpha' }, 'B'])),
    some: optional(choices([{ value: 'a', title: 'Alpha' }, 'b', 'c'], { minItems: 1, maxItems: 2 })),
  },
  formats: { day: optional(date()), at: optional(dateTime()), mail: optional(email()), page: optional(uri()) },
  note: { note: text() },
};

const said = (reply: ElicitReply<{ readonly yes: boolean }>): string =>
  reply.action === 'accept' ? `accept ${String(reply.content.yes)}` : reply.action;

export const askingTools = [
  defineTool({
    ...base,
    name: 'ask_two',
    requires: ['elicitation'],
    input: (z) => z.object({}),
    async run(_input, task) {
      const { a, b } = await task.ask({
        a: elicitation('First?', { yes: flag() }),
        b: elicitation('Second?', { yes: flag() }),
      });
      await book({ taskId: task.id, entry: 'resumed' });
      return toolResult(`a: ${said(a)}, b: ${said(b)}`);
    },
  }),
  defineTool({
    ...base,
    name: 'ask_form',
    input: (z) => z.object({ form: z.enum(['approve', 'numbers', 'choices', 'formats', 'note']) }),
    async run({ form }, task) {
      const reply = await task.elicit('Fill this in.', FORMS[form] ?? {});
      const content = reply.action === 'accept' ? (reply.content as JsonObject) : {};
      return toolResult(reply.action, { structured: { action: reply.action, content } });
    },
  }),
  /** Asks `more` times again, each time in a run of its own. */
  defineTool({
    ...base,
    name: 'approve',
    input: (z) => z.object({ more: z.int() }),
    async run({ more }, task) {
      const reply = await task.elicit('Approve?', { yes: flag() });
      const entry = reply.action === 'accept' ? 'approved' : 'declined';
      await task.effect(
        'Book it',
        () => book({ taskId: task.id, entry }),
        () => book({ taskId: task.id, entry: 'voided' }),
      );
      return more > 0 ? task.continueAs({ more: more - 1 }) : toolResult(entry);
    },
  }),
];
