import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TASKS_EXTENSION } from '../../../protocol/extension.ts';
import { eventually } from '../../support/eventually.ts';
import { listen, type ListenStream } from '../../support/listen-client.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';
import { testCaller } from '../../support/test-caller.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());

const FORM = { method: 'elicitation/create', params: { mode: 'form', message: 'Why?' } } as const;
const UNKNOWN = 'AAAAAAAAAAAAAAAAAAAAAA';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

async function aTask(): Promise<string> {
  const { body } = await front.call('required_job');
  return body.result.taskId;
}
async function tasksGet(taskId: string): Promise<unknown> {
  const { body } = await front.post({ method: 'tasks/get', params: { taskId } });
  const { resultType: _, _meta, ...task } = body.result;
  return task;
}
const honoured = ({ frames }: ListenStream): unknown => frames[0]?.params?.['notifications'];
const statuses = (stream: ListenStream, taskId: string): string[] => stream.told(taskId).map(({ status }) => status);

describe('subscriptions/listen with taskIds', () => {
  it('acknowledges, shows each task as it is, then each change, then ends with its result', async () => {
    verifies('listen.push', 'listen.ack-first', 'listen.same-body', 'listen.end', 'listen.no-progress');
    const [one, two] = [await aTask(), await aTask()];
    // Whoever asks for progress and log messages gets none of them here.
    const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' };
    const stream = await listen(front.url, [one, two], { id: 'sub', meta });
    await eventually(() => stream.frames.length === 3);
    const told: unknown[] = [];
    stream.onTask = (task) => told.push(task);
    front.store.ask(one, { q1: FORM });
    await eventually(() => told.length === 1);
    expect(told[0]).toEqual(await tasksGet(one));
    front.store.report(two, '3 of 10 pages');
    await eventually(() => told.length === 2);
    front.store.finishWithText(two, 'done');
    await eventually(() => told.length === 3);
    front.store.finish(one, { status: 'failed', error: { code: -32603, message: 'no' } });
    expect(await stream.ended).toBe('end');
    expect(told).toEqual([
      expect.objectContaining({ status: 'input_required' }),
      expect.objectContaining({ status: 'working', statusMessage: '3 of 10 pages' }),
      await tasksGet(two),
      await tasksGet(one),
    ]);
    expect(stream.frames.map(({ method }) => method)).toEqual([
      'notifications/subscriptions/acknowledged',
      ...Array.from({ length: 6 }, () => 'notifications/tasks'),
      undefined,
    ]);
    expect(stream.frames[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [one, two] }, _meta: { [SUBSCRIPTION]: 'sub' } },
    });
    expect(stream.frames.at(-1)).toEqual({
      jsonrpc: '2.0',
      id: 'sub',
      result: { resultType: 'complete', _meta: expect.objectContaining({ [SUBSCRIPTION]: 'sub' }) },
    });
  });

  it.each([7, '7', 0, '', -1, 'ünï'])('repeats the id %j in its own type on every frame', async (id) => {
    verifies('listen.id');
    const taskId = await aTask();
    const stream = await listen(front.url, [taskId], { id });
    front.store.finishWithText(taskId, 'done');
    await stream.ended;
    const { result, id: echoed } = stream.frames.at(-1) as { id: unknown; result: { _meta: Record<string, unknown> } };
    const stamps = stream.frames.slice(0, -1).map(({ params }) => params?._meta[SUBSCRIPTION]);
    expect(new Set([...stamps, result._meta[SUBSCRIPTION], echoed])).toEqual(new Set([id]));
  });

  it('leaves out unknown, malformed and foreign ids alike, and names each task once', async () => {
    verifies('listen.ack-ids');
    const taskId = await aTask();
    const foreign = await front.store.create(testCaller('f'.repeat(32)), {
      tool: 'required_job',
      args: {},
      features: { elicitationForm: true, elicitationUrl: false, sampling: false, roots: false },
      ttlMs: 60_000,
      maxTtlMs: 60_000,
      pollIntervalMs: 1_000,
    });
    const asked = [UNKNOWN, taskId, '', '../x', foreign.task.taskId, taskId, '__proto__', 'x'.repeat(5_000)];
    const stream = await listen(front.url, asked);
    expect(honoured(stream)).toEqual({ taskIds: [taskId] });
    stream.close();
  });

  it.each([[[]], [[UNKNOWN]]])('ends at once when it honours nothing of %j', async (taskIds) => {
    const stream = await listen(front.url, taskIds);
    expect(await stream.ended).toBe('end');
    expect(honoured(stream)).toEqual({ taskIds: [] });
    expect(stream.frames).toHaveLength(2);
  });

  it('shows a finished task and ends', async () => {
    const taskId = await aTask();
    front.store.finishWithText(taskId, 'done');
    const stream = await listen(front.url, [taskId]);
    expect(await stream.ended).toBe('end');
    expect(stream.told(taskId)).toEqual([await tasksGet(taskId)]);
  });

  it('takes a thousand ids', async () => {
    const taskId = await aTask();
    const others = Array.from({ length: 999 }, (_, index) => `A${String(index).padStart(21, '0')}`);
    const stream = await listen(front.url, [...others, taskId]);
    expect(honoured(stream)).toEqual({ taskIds: [taskId] });
    stream.close();
  });

  it('acknowledges no other change, since none of them is ever announced', async () => {
    const taskId = await aTask();
    const others = { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: false };
    const notifications = { ...others, resourceSubscriptions: ['task://x'], somethingNew: 1, taskIds: [taskId] };
    const stream = await listen(front.url, [], { params: { notifications } });
    expect(honoured(stream)).toEqual({ taskIds: [taskId] });
    stream.close();
  });

  it('leaves out the state in which a task asks what this client did not declare, and no other', async () => {
    verifies('mrtr.kinds');
    const taskId = await aTask();
    const unable = await listen(front.url, [taskId], { capabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
    const able = await listen(front.url, [taskId]);
    front.store.ask(taskId, { q1: FORM });
    await eventually(() => statuses(able, taskId).length === 2);
    await front.store.deliver(testCaller('0123456789abcdef0123456789abcdef'), taskId, { q1: {} });
    await eventually(() => statuses(able, taskId).length === 3);
    front.store.finishWithText(taskId, 'done');
    await Promise.all([unable.ended, able.ended]);
    expect(statuses(able, taskId)).toEqual(['working', 'input_required', 'working', 'completed']);
    expect(statuses(unable, taskId)).toEqual(['working', 'working', 'completed']);
  });

  it('begins anew whatever Last-Event-ID says', async () => {
    verifies('http.methods');
    const taskId = await aTask();
    const stream = await listen(front.url, [taskId], { headers: { 'last-event-id': '3' } });
    await eventually(() => stream.frames.length === 2);
    expect(statuses(stream, taskId)).toEqual(['working']);
    stream.close();
  });

  it('never touches the task when its stream is lost', async () => {
    const taskId = await aTask();
    const stream = await listen(front.url, [taskId]);
    stream.close();
    await eventually(() => front.store.watcherCount === 0);
    expect(front.store.entries.get(taskId)?.cancelReason).toBeUndefined();
    expect(await tasksGet(taskId)).toMatchObject({ status: 'working' });
  });
});

describe('subscriptions/listen without taskIds', () => {
  it.each([{ toolsListChanged: true }, {}])('is acknowledged and ended by the SDK: %j', async (notifications) => {
    const stream = await listen(front.url, [], { params: { notifications }, capabilities: {} });
    expect(await stream.ended).toBe('end');
    expect(honoured(stream)).toEqual({});
  });
});
