import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TASKS_EXTENSION } from '../../../protocol/extension.ts';
import { StoreUnavailable } from '../../../server/task-store.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());
beforeEach(() => {
  front.store.entries.clear();
});

const NOTHING = { elicitationForm: false, elicitationUrl: false, sampling: false, roots: false };
const onlyEntry = (): ReturnType<typeof front.store.entries.get> => [...front.store.entries.values()][0];

describe('a call that cannot be served', () => {
  it.each(['no_such_tool', 'constructor', '__proto__', 'toString', ''])('is -32602 for the tool %j', async (name) => {
    const { status, body } = await front.call(name);
    expect([status, body.error?.code]).toEqual([200, -32602]);
  });

  it.each(['{"vendor":"V1"}', null, [], 42])('is -32602 when the arguments are %j', async (args) => {
    verifies('tools.validate');
    const { status, body } = await front.call('order', args);
    expect([status, body.error?.code, body.error?.message]).toEqual([
      200,
      -32602,
      'params.arguments must be an object.',
    ]);
    expect(front.store.entries.size).toBe(0);
  });

  it('takes missing arguments for none', async () => {
    const { body } = await front.post({ method: 'tools/call', params: { name: 'required_job' } });
    expect(body.result.resultType).toBe('task');
  });

  it.each([
    [{}, 'vendor is missing; it must be a string'],
    [{ vendor: ['V1'] }, 'vendor must be a string'],
    [{ vendor: 'V', quantity: '5' }, 'quantity must be a number'],
    [{ vendor: 'V', quantity: 2.5 }, 'quantity must be a whole number'],
    [{ vendor: 'V', lines: '[{"sku":"A"}]' }, 'lines must be an array'],
    [{ vendor: 'V', lines: [{ sku: 'A' }, { sku: 7 }] }, 'lines[1].sku must be a string'],
    [{ vendor: 'V', unit: 'ton' }, 'unit must be one of "piece", "box"'],
    [{ vendor: 'V', extra: 1 }, 'extra is not a known argument'],
    [{ vendor: 'V', constructor: { prototype: { admin: true } } }, 'constructor is not a known argument'],
    [{ vendor: 'V', idempotencyKey: 7 }, 'idempotencyKey must be a string'],
  ])('is a tool error that names the member for %j, and no task', async (args, fault) => {
    verifies('tools.validate');
    const { body } = await front.call('order', args);
    expect(body.result.isError).toBe(true);
    expect(body.result.content[0].text.split('\n').slice(1)).toEqual([fault]);
    expect(front.store.entries.size).toBe(0);
  });

  it('never repeats the value of an argument', async () => {
    const { text } = await front.call('order', { vendor: ['s3cret'], unit: 's3cret', quantity: 's3cret' });
    expect(text).not.toContain('s3cret');
  });
});

describe('a missing capability', () => {
  const required = async (name: string, capabilities: unknown): Promise<unknown[]> => {
    const { status, body } = await front.call(name, {}, { capabilities });
    expect(front.store.entries.size).toBe(0);
    return [status, body.error?.code, body.error?.data?.requiredCapabilities];
  };
  const tasks = { extensions: { [TASKS_EXTENSION]: {} } };
  const forms = { elicitation: { form: {} } };

  it('refuses a tool that is always a task', async () => {
    verifies('create.required', 'env.capability');
    expect(await required('required_job', {})).toEqual([400, -32021, tasks]);
    expect(await required('required_job', { extensions: {} })).toEqual([400, -32021, tasks]);
  });

  it('refuses a tool that must ask, naming exactly what is missing', async () => {
    verifies('mrtr.kinds');
    expect(await required('asking_job', {})).toEqual([400, -32021, forms]);
    expect(await required('asking_job', tasks)).toEqual([400, -32021, forms]);
    expect(await required('asking_job', { ...tasks, elicitation: { url: {} } })).toEqual([400, -32021, forms]);
  });

  it('takes an empty elicitation object for forms', async () => {
    const { body } = await front.call('asking_job', {}, { capabilities: { ...tasks, elicitation: {} } });
    expect(body.result.resultType).toBe('task');
    expect(onlyEntry()?.call.features).toEqual({ ...NOTHING, elicitationForm: true });
  });

  it.each([true, null, [], 'yes'])('is what the malformed extension value %j declares', async (value) => {
    verifies('create.undeclared');
    const { status, body } = await front.call(
      'required_job',
      {},
      { capabilities: { extensions: { [TASKS_EXTENSION]: value } } },
    );
    expect(status).toBe(400);
    expect([-32602, -32021]).toContain(body.error?.code);
    expect(front.store.entries.size).toBe(0);
  });

  it('is not made good by the extension at the top level of params', async () => {
    verifies('cap.per-request');
    const params = { name: 'required_job', arguments: {}, [TASKS_EXTENSION]: {} };
    const { body } = await front.post({ method: 'tools/call', params, capabilities: { extensions: {} } });
    expect(body.error?.code).toBe(-32021);
  });
});

describe('an outage', () => {
  it('is -32603 in words of our own', async () => {
    verifies('error.standard', 'error.informative');
    front.store.nextError = new StoreUnavailable('14 UNAVAILABLE: 10.0.0.1:7233', { cause: new Error('grpc') });
    const { status, text, body } = await front.call('order', { vendor: 'V' });
    expect([status, body.error?.code]).toEqual([200, -32603]);
    expect(body.error?.message).toContain('Try again');
    expect(text).not.toMatch(/UNAVAILABLE|10\.0\.0\.1|grpc/);
  });
});
