/** The listen stream as programs see it that we did not write: the client of the SDK, the schemas of ext-tasks. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, type Notification } from '@modelcontextprotocol/client';
import { isTaskStatusNotificationV2, readAcceptedTaskIdsV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { eventually } from '../../support/eventually.ts';
import { listen } from '../../support/listen-client.ts';
import { TASKS_AND_FORMS } from '../../support/mcp-request.ts';
import { startTestFront, type TestFront } from '../../support/test-front.ts';

let front: TestFront;
beforeAll(async () => {
  front = await startTestFront();
});
afterAll(async () => front.front.drain());

const requestedSchema = { type: 'object', properties: { why: { type: 'string' } } } as const;
const FORM = { method: 'elicitation/create', params: { mode: 'form', message: 'Why?', requestedSchema } } as const;

async function aTask(): Promise<string> {
  const { body } = await front.call('required_job');
  return body.result.taskId;
}

describe('the client of the SDK', () => {
  it('gets each notification of a task, and closes gracefully with the last', async () => {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { capabilities: TASKS_AND_FORMS, versionNegotiation: { mode: 'auto' } },
    );
    const seen: Notification[] = [];
    client.fallbackNotificationHandler = (notification) => {
      seen.push(notification);
      return Promise.resolve();
    };
    await client.connect(new StreamableHTTPClientTransport(new URL(front.url)));
    const taskId = await aTask();
    const filter: object = { taskIds: [taskId] };
    const subscription = await client.listen(filter);
    front.store.ask(taskId, { q1: FORM });
    await eventually(() => seen.length === 2);
    front.store.finishWithText(taskId, 'done');
    expect(await subscription.closed).toBe('graceful');
    expect(seen.map(({ method, params }) => [method, params?.['status']])).toEqual([
      ['notifications/tasks', 'working'],
      ['notifications/tasks', 'input_required'],
      ['notifications/tasks', 'completed'],
    ]);
    await client.close();
  });

  it('leaves the task alone when it closes its subscription', async () => {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { capabilities: TASKS_AND_FORMS, versionNegotiation: { mode: 'auto' } },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(front.url)));
    const taskId = await aTask();
    const filter: object = { taskIds: [taskId] };
    const subscription = await client.listen(filter);
    await subscription.close();
    expect(await subscription.closed).toBe('local');
    await eventually(() => front.store.watcherCount === 0);
    expect(front.store.entries.get(taskId)?.cancelReason).toBeUndefined();
    await client.close();
  });
});

describe('the schemas of ext-tasks', () => {
  it('take the acknowledgement and every notification', async () => {
    const taskIds = await Promise.all([aTask(), aTask(), aTask(), aTask()]);
    const [asking, failing, refused, cancelled] = taskIds;
    const stream = await listen(front.url, taskIds);
    front.store.ask(asking, { q1: FORM });
    front.store.finish(failing, { status: 'failed', error: { code: -32603, message: 'no', data: { a: 1 } } });
    front.store.finish(refused, { status: 'completed', result: { content: [], isError: true } });
    front.store.finish(cancelled, { status: 'cancelled' });
    await eventually(() => stream.frames.length >= 9);
    front.store.finishWithText(asking, 'done');
    await stream.ended;
    expect(readAcceptedTaskIdsV2(stream.frames[0]?.params)).toEqual(taskIds);
    const notifications = stream.frames.slice(1, -1);
    expect(notifications.length).toBeGreaterThanOrEqual(9);
    expect(notifications.filter((frame) => !isTaskStatusNotificationV2(frame))).toEqual([]);
  });
});
