/** Tools that ask their caller in every way there is. Workflow code: it runs in the sandbox. */
import { choice, choices, date, dateTime, email, flag, integer, number, optional, uri } from '../../protocol/form.ts';
import { rootsList } from '../../protocol/roots.ts';
import { createCatalog, defineTool, toolResult } from '../../workflows/tool.ts';

const base = { title: 'Test', description: 'Test', task: 'optional', syncBudgetMs: 0 } as const;

const forms = {
  approval: { approve: flag({ default: true }) },
  numbers: { amount: optional(number({ minimum: 0.01, maximum: 5_000 })), qty: optional(integer({ minimum: 1 })) },
  choices: {
    one: optional(
      choice([
        { value: 'A', title: 'First' },
        { value: 'B', title: 'Second' },
      ]),
    ),
    some: optional(choices(['a', 'b', 'c'], { minItems: 1, maxItems: 2 })),
    day: optional(date()),
    at: optional(dateTime()),
    mail: optional(email()),
    link: optional(uri()),
  },
} as const;

export const catalog = createCatalog([
  defineTool({
    ...base,
    name: 'ask_form',
    input: (z) => z.object({ form: z.enum(['approval', 'numbers', 'choices']), label: z.string().optional() }),
    async run({ form }, task) {
      const reply = await task.elicit('Your answer?', forms[form]);
      return toolResult(JSON.stringify(reply));
    },
  }),
  defineTool({
    ...base,
    name: 'ask_twice',
    input: (z) => z.object({}),
    async run(_input, task) {
      const first = await task.elicit('First?', { yes: flag() });
      const second = await task.elicit('Second?', { yes: flag() });
      return toolResult(`${first.action} ${second.action} in ${task.id}`);
    },
  }),
  defineTool({
    ...base,
    name: 'open_page',
    requires: ['elicitationUrl'],
    input: (z) => z.object({}),
    async run(_input, task) {
      const { action } = await task.elicitUrl('Sign in at the bank', 'https://bank.example/sign-in');
      return toolResult(action);
    },
  }),
  defineTool({
    ...base,
    name: 'ask_model',
    input: (z) => z.object({}),
    async run(_input, task) {
      const { model } = await task.sample({
        messages: [{ role: 'user', content: { type: 'text', text: 'Name a city.' } }],
        maxTokens: 10,
      });
      return toolResult(`said by ${model}`);
    },
  }),
  defineTool({
    ...base,
    name: 'ask_roots',
    input: (z) => z.object({}),
    async run(_input, task) {
      const { folders } = await task.ask({ folders: rootsList() });
      return toolResult(folders.roots.map(({ uri: at }) => at).join(' '));
    },
  }),
  defineTool({
    ...base,
    name: 'go_on',
    input: (z) => z.object({ run: z.number() }),
    async run({ run }, task) {
      return run < 3 ? task.continueAs({ run: run + 1 }) : toolResult(`run ${String(run)}`);
    },
  }),
]);
