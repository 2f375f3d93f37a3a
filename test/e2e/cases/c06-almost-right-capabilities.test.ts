/**
 * C06: capabilities that are almost right. What is declared counts and nothing that only resembles it: nobody gets a task
 * or a question that they did not declare, and what is refused is refused before anything exists.
 *
 * Each gate alone: test/unit/server/tasks-extension.test.ts and tool-calls.test.ts. The same gates for every kind of
 * question: test/integration/caller-features.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TASKS_EXTENSION } from '../../../protocol/extension.ts';
import { trackCreated } from '../../support/created-tasks.ts';
import { bodyOf, post, type McpAnswer } from '../../support/mcp-request.ts';
import { createTaskClient, resultOf, textOf, type TaskClient } from '../../support/task-client.ts';
import { openTemporal } from '../../support/temporal.ts';
import { verifies } from '../../support/verifies.ts';
import { openCaseServer } from './support/case-server.ts';

const ENDS_WITHIN_MS = 20_000;
const TASKS = { [TASKS_EXTENSION]: {} };
const FORMS = { elicitation: { form: {} } };

let origin = '';
let client: TaskClient;
let created: () => Promise<readonly string[]>;

beforeAll(async () => {
  const server = await openCaseServer();
  const [front] = await Promise.all([server.startFront(), server.startWorker()]);
  origin = front.url;
  client = createTaskClient(origin);
  const temporal = await openTemporal();
  created = trackCreated(temporal.client, server.taskQueue, () => client.create('take_text', { text: 'marker' }));
}, 60_000);

function call(name: string, args: object, capabilities: unknown): Promise<McpAnswer> {
  return post(`${origin}/mcp`, { method: 'tools/call', params: { name, arguments: args }, capabilities });
}
function onTask(method: string, taskId: string, capabilities: unknown): Promise<McpAnswer> {
  return post(`${origin}/mcp`, { method, params: { taskId }, capabilities });
}
const refusalOf = ({ status, body }: McpAnswer): unknown[] => [
  status,
  body.error?.code,
  body.error?.data?.requiredCapabilities,
];

describe('the extension, declared as', () => {
  it.each([
    { extensions: { [TASKS_EXTENSION]: true } },
    { extensions: { [TASKS_EXTENSION]: null } },
    { extensions: { [TASKS_EXTENSION]: [] } },
    { extensions: { [TASKS_EXTENSION]: 'yes' } },
    { extensions: [TASKS_EXTENSION] },
    { extensions: { [TASKS_EXTENSION.toUpperCase()]: {} } },
    { extensions: {}, [TASKS_EXTENSION]: {} },
    { extensions: null },
    { experimental: TASKS },
  ])('%j is malformed or undeclared: there is neither a handle nor a task', async (capabilities) => {
    const required = await call('take_text', { text: 'x' }, { ...FORMS, ...capabilities });
    expect([-32602, -32021]).toContain(required.body.error?.code);
    expect(required.status).toBeLessThan(500);
    const optional = await call('end_with', { how: 'fine', asTask: true }, { ...FORMS, ...capabilities });
    expect(optional.text).not.toContain('"resultType":"task"');
    expect(optional.status).toBeLessThan(500);
    const held = optional.body.error === undefined ? 1 : 0;
    expect(await created()).toHaveLength(held);
  });

  it('a member of params beside the envelope is undeclared', async () => {
    const request = {
      method: 'tools/call',
      params: { name: 'take_text', arguments: { text: 'x' }, [TASKS_EXTENSION]: {}, extensions: TASKS },
      capabilities: { ...FORMS, extensions: {} },
    };
    expect(refusalOf(await post(`${origin}/mcp`, { ...request, rawBody: bodyOf(request) }))).toEqual([
      400,
      -32021,
      { extensions: TASKS },
    ]);
    expect(await created()).toEqual([]);
  });
});

describe('a tool that must ask', () => {
  it.each<[string, object]>([
    ['no elicitation', {}],
    ['pages only', { elicitation: { url: {} } }],
    ['elicitation: true', { elicitation: true }],
    ['elicitation: []', { elicitation: [] }],
    ['form: true', { elicitation: { form: true } }],
  ])('is refused before anything exists for a client with %s', async (_what, capabilities) => {
    verifies('env.capability');
    const answer = await call('ask_two', {}, { ...capabilities, extensions: TASKS });
    expect(answer.status).toBe(400);
    expect([-32602, -32021]).toContain(answer.body.error?.code);
    expect(await created()).toEqual([]);
  });

  it('names what is missing', async () => {
    for (const capabilities of [{ extensions: TASKS }, { extensions: TASKS, elicitation: { url: {} } }]) {
      expect(refusalOf(await call('ask_two', {}, capabilities))).toEqual([400, -32021, FORMS]);
    }
  });

  it('takes an empty elicitation for forms', async () => {
    const { body } = await call('ask_two', {}, { extensions: TASKS, elicitation: {} });
    const { taskId } = body.result;
    await client.until(taskId, ['input_required'], ENDS_WITHIN_MS);
    expect((await onTask('tasks/get', taskId, { extensions: TASKS, elicitation: {} })).body.result.status).toBe(
      'input_required',
    );
    await client.cancel(taskId);
    await created();
  });

  it('may do without, and then says in a result which argument to pass', async () => {
    const { body } = await call('ask_form', { form: 'approve' }, { extensions: TASKS, elicitation: { url: {} } });
    const result = resultOf(await client.until(body.result.taskId, ['completed'], ENDS_WITHIN_MS));
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/approve/)]);
    await created();
  });
});

describe('a task of a client that declared everything', () => {
  it('is refused to a reader without the extension, -32021, on every method', async () => {
    const taskId = await client.create('ask_two', {});
    const before = await client.until(taskId, ['input_required'], ENDS_WITHIN_MS);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect(refusalOf(await onTask(method, taskId, FORMS))).toEqual([400, -32021, { extensions: TASKS }]);
    }
    expect(await client.get(taskId)).toEqual(before);
    await client.cancel(taskId);
  });

  it('shows no form to a reader that cannot fill one in, who may cancel it all the same', async () => {
    const taskId = await client.create('ask_two', {});
    await client.until(taskId, ['input_required'], ENDS_WITHIN_MS);
    const [extension, pages] = [{ extensions: TASKS }, { extensions: TASKS, elicitation: { url: {} } }];
    for (const capabilities of [extension, pages]) {
      const answer = await onTask('tasks/get', taskId, capabilities);
      expect(refusalOf(answer)).toEqual([400, -32021, FORMS]);
      expect(answer.text).not.toContain('First?');
    }
    expect((await onTask('tasks/cancel', taskId, extension)).body.result).toMatchObject({ resultType: 'complete' });
    await client.until(taskId, ['cancelled'], ENDS_WITHIN_MS);
    expect((await onTask('tasks/get', taskId, extension)).body.result.status).toBe('cancelled');
  });
});
