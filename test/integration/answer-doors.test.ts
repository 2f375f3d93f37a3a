/**
 * An answer may come in by three doors: `tasks/update`, the tool `task_answer`, and the retry of a multi round trip. What
 * fits and what does not is decided in one place, whose tables are in test/unit/protocol; here each door leads there.
 */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { wordsOf } from '../../protocol/complaint.ts';
import { TASKS_EXTENSION } from '../../protocol/extension.ts';
import type { InputRequests } from '../../protocol/task.ts';
import { startBenchFront } from '../support/bench-front.ts';
import { eventually } from '../support/eventually.ts';
import { bodyOf, post, type McpRequest, type RpcResult } from '../support/mcp-request.ts';
import { openTaskBench, type TaskBench } from '../support/task-bench.ts';
import { catalog } from './asking-tools.ts';

let bench: TaskBench;
let url: string;
beforeAll(async () => {
  bench = await openTaskBench(fileURLToPath(new URL('./asking-workflows.ts', import.meta.url)), {});
  await bench.startWorker();
  ({ url } = await startBenchFront(bench, catalog));
}, 60_000);

type FormName = 'approval' | 'numbers' | 'choices';
/** A question with one key; after an answer either the outcome or the next question. */
type Next = { readonly key: string; readonly message: string } | { readonly outcome: string };
type Answer = (json: string) => Promise<Next>;
type Door = (form: FormName) => Promise<{ readonly key: string; answer: Answer }>;

const FORMS = { elicitation: {} };
const PLACE = '"@answers@"';

/** The answers as JSON text, so that odd numbers and members arrive as they are. */
async function send(request: McpRequest, answersJson?: string): Promise<RpcResult> {
  const rawBody = bodyOf(request).replace(PLACE, answersJson ?? '{}');
  const { status, body } = await post(url, { ...request, rawBody });
  if (body.error !== undefined) throw Object.assign(new Error(body.error.message), { status, code: body.error.code });
  return body.result;
}

function nextOf(requests: InputRequests): Next {
  const [[key, request] = ['', undefined], ...others] = Object.entries(requests);
  if (request === undefined || others.length > 0) throw new Error('there is not one question');
  return { key, message: wordsOf(request) };
}
const keyOf = (next: Next): string => ('key' in next ? next.key : '');

const update: Door = async (form) => {
  const capabilities = { ...FORMS, extensions: { [TASKS_EXTENSION]: {} } };
  const params = { name: 'ask_form', arguments: { form } };
  const { taskId } = await send({ method: 'tools/call', params, capabilities });
  const standing = async (): Promise<Next | undefined> => {
    const task = await send({ method: 'tasks/get', params: { taskId }, capabilities });
    if (task.status === 'completed') return { outcome: task.result.content[0].text };
    return task.status === 'input_required' ? nextOf(task.inputRequests as InputRequests) : undefined;
  };
  const settled = (): Promise<Next> => eventually(async () => (await standing()) ?? false, 15_000);
  return {
    key: keyOf(await settled()),
    async answer(json) {
      const params = { taskId, inputResponses: '@answers@' };
      await send({ method: 'tasks/update', params, capabilities }, json);
      return settled();
    },
  };
};

interface View {
  readonly task: { readonly status: string };
  readonly questions?: readonly [{ readonly key: string; readonly message: string }];
}
const taskAnswer: Door = async (form) => {
  const taskId = await bench.create('ask_form', { form });
  const call = (name: string, args: object, json?: string): Promise<RpcResult> =>
    send({ method: 'tools/call', params: { name, arguments: { id: taskId, ...args } }, capabilities: {} }, json);
  const settled = async (view: RpcResult): Promise<Next> => {
    // A number that JSON cannot carry is no argument of any tool: the question stays open as it was.
    const { structuredContent } = view as unknown as { structuredContent?: View };
    if (structuredContent === undefined) return { key: 'unanswered', message: view.content[0].text };
    const { task, questions } = structuredContent;
    if (questions !== undefined) return { key: questions[0].key, message: questions[0].message };
    if (task.status === 'working') return settled(await call('task_wait', { seconds: 15 }));
    return { outcome: (await call('task_result', {})).content[0].text };
  };
  return {
    key: keyOf(await settled(await call('task_wait', { seconds: 15 }))),
    answer: async (json) => settled(await call('task_answer', { answers: '@answers@' }, json)),
  };
};

const bridge: Door = async (form) => {
  const call = (more: object, json?: string): Promise<RpcResult> =>
    send(
      { method: 'tools/call', params: { name: 'ask_form', arguments: { form }, ...more }, capabilities: FORMS },
      json,
    );
  const settled = ({ inputRequests, content }: RpcResult): Next =>
    inputRequests === undefined ? { outcome: content[0].text } : nextOf(inputRequests as InputRequests);
  let last = await call({});
  return {
    key: keyOf(settled(last)),
    async answer(json) {
      last = await call({ requestState: last.requestState, inputResponses: '@answers@' }, json);
      return settled(last);
    },
  };
};

const NO_ANSWER = [
  '{"action":"accept"}',
  '{"action":"accept","content":{}}',
  '{"action":"accept","content":null}',
  '{"action":"accept","content":{"input":true}}',
  '{"action":"accept","content":{"approve":"true"}}',
  '{"action":"ACCEPT","content":{"approve":true}}',
  '{"action":"approve"}',
  '{}',
  'null',
  '"accept"',
  '{"result":{"action":"accept","content":{"approve":true}}}',
];
const MISFITS: readonly [FormName, string][] = [
  ...['"12.50"', '1e400', '-0', 'null', '[1]'].map((json) => ['numbers', `"amount":${json}`] as [FormName, string]),
  ...['2.5', '"3"', '"42xyz"', '9007199254740993'].map((json) => ['numbers', `"qty":${json}`] as [FormName, string]),
  ...['"First"', '"a"', '["A"]'].map((json) => ['choices', `"one":${json}`] as [FormName, string]),
  ...['[]', '["a","zz"]', '"a"', '"a,b"', '["a","b","c"]'].map(
    (json) => ['choices', `"some":${json}`] as [FormName, string],
  ),
  ...['"2026-02-30"', '"2026-11-29T10:00:00Z"'].map((json) => ['choices', `"day":${json}`] as [FormName, string]),
  ['choices', '"at":"2026-11-29T10:00:00"'],
];
const REFUSED = /^The last answer could not be used|must be a value that JSON carries exactly$/;
const FITS: readonly [FormName, string, object][] = [
  ['approval', '{"action":"accept","content":{"approve":false}}', { action: 'accept', content: { approve: false } }],
  ['approval', '{"action":"decline","content":{"approve":true}}', { action: 'decline' }],
  ['approval', '{"action":"decline","content":null}', { action: 'decline' }],
  ['approval', '{"action":"cancel"}', { action: 'cancel' }],
  [
    'numbers',
    '{"action":"accept","content":{"amount":12.5,"qty":1.0}}',
    { action: 'accept', content: { amount: 12.5, qty: 1 } },
  ],
  [
    'choices',
    '{"action":"accept","content":{"one":"A","some":["a","a"],"link":"javascript:alert(1)"}}',
    { action: 'accept', content: { one: 'A', some: ['a'], link: 'javascript:alert(1)' } },
  ],
];

describe.each([
  ['tasks/update', update],
  ['task_answer', taskAnswer],
  ['the retry of a multi round trip', bridge],
])('%s', (_, door) => {
  it.each(NO_ANSWER)('has %s asked again under a new key that says why, and never approves', async (json) => {
    const { key, answer } = await door('approval');
    const next = await answer(`{"${key}":${json}}`);
    expect(next).toEqual({
      key: expect.not.stringContaining(key),
      message: expect.stringMatching(/^The last answer could not be used: .+\. Your answer\?$/),
    });
    const outcome = await answer(`{"${key}":{"action":"accept","content":{"approve":true}}}`);
    expect(outcome).toEqual(next);
  });

  it('has whatever does not fit its field asked again', async () => {
    const nexts = await Promise.all(
      MISFITS.map(async ([form, member]) => {
        const { key, answer } = await door(form);
        return [member, await answer(`{"${key}":{"action":"accept","content":{${member}}}}`)] as const;
      }),
    );
    for (const [member, next] of nexts) {
      expect([member, next]).toEqual([member, { key: expect.any(String), message: expect.stringMatching(REFUSED) }]);
    }
  });

  it.each(FITS)('takes for the form %s %s', async (form, json, reply) => {
    const { key, answer } = await door(form);
    const next = await answer(`{"${key}":${json}}`);
    expect('outcome' in next ? JSON.parse(next.outcome) : next).toEqual(reply);
  });

  it('changes nothing for keys that were never issued, whatever they are called', async () => {
    const { key, answer } = await door('approval');
    const yes = '{"action":"accept","content":{"approve":true}}';
    const next = await answer(`{"constructor":${yes},"toString":${yes},"hasOwnProperty":${yes},"form-1":${yes}}`);
    expect(keyOf(next)).toBe(key);
  });

  it('refuses a member named __proto__, wherever it stands', async () => {
    const { key, answer } = await door('approval');
    const yes = '{"action":"accept","content":{"approve":true}}';
    for (const json of [
      `{"__proto__":${yes}}`,
      `{"${key}":{"__proto__":${yes}}}`,
      `{"${key}":{"action":"accept","content":{"__proto__":{"approve":true}}}}`,
    ]) {
      await expect(answer(json)).rejects.toMatchObject({ status: 400, code: -32600 });
    }
    expect(await answer(`{"${key}":${yes}}`)).toEqual({ outcome: '{"action":"accept","content":{"approve":true}}' });
  });
});
