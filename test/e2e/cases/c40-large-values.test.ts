/**
 * C40: results, answers and arguments above what Temporal carries (2 MB a value, 4 MB a message). Each arrives whole, from
 * outside the history, or ends at once with an error that names the limit; no task is left working.
 *
 * Results around the limit of the history, and a body that continues as new: test/integration/lifecycle.test.ts. A history
 * above 4 MB, followed by listeners: test/integration/push/push-journeys.test.ts. A blob folder that is full:
 * test/e2e/bad-surroundings.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { DetailedTask } from '../../../protocol/task.ts';
import { trackCreated } from '../../support/created-tasks.ts';
import { listen } from '../../support/listen-client.ts';
import { post, type McpAnswer } from '../../support/mcp-request.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { createTaskClient, questionsOf, resultOf, textOf, type TaskClient } from '../../support/task-client.ts';
import { openTemporal } from '../../support/temporal.ts';
import { openCaseServer } from './support/case-server.ts';

const MEGABYTE = 1_000_000;
const ENDS_WITHIN_MS = 20_000;
const LARGE_MS = 90_000;
const SIZES = [1.9, 2.1, 4.5, 40].map((megabytes) => megabytes * MEGABYTE);

let front: RoleProcess;
let here: TaskClient;
let there: TaskClient;
let created: () => Promise<readonly string[]>;

beforeAll(async () => {
  const server = await openCaseServer();
  const [first, second] = await Promise.all([server.startFront(), server.startFront(), server.startWorker()]);
  front = first;
  here = createTaskClient(first.url);
  there = here.over(second.url);
  const { client } = await openTemporal();
  created = trackCreated(client, server.taskQueue, () => here.create('take_text', { text: 'marker' }));
}, 60_000);

/** How a task ended, once both fronts and the last notification say the same. */
async function endOf(tool: string, args: object): Promise<DetailedTask> {
  const taskId = await here.create(tool, args);
  const stream = await listen(`${front.url}/mcp`, [taskId]);
  const ended = await there.until(taskId, ['completed', 'failed', 'cancelled'], ENDS_WITHIN_MS);
  expect(await stream.ended).toBe('end');
  expect(ended).toMatchObject(stream.told(taskId).at(-1) ?? { status: 'told' });
  expect(await here.get(taskId)).toEqual(ended);
  return ended;
}

function answer(taskId: string, key: string, note: string): Promise<McpAnswer> {
  const inputResponses = { [key]: { action: 'accept', content: { note } } };
  return post(`${front.url}/mcp`, { method: 'tasks/update', params: { taskId, inputResponses } });
}

describe('a result', () => {
  it('of 500 KB arrives whole, on reads and in the notification', async () => {
    const result = resultOf(await endOf('give_large', { bytes: 500_000, where: 'the result' }));
    expect([result.isError, textOf(result).length]).toEqual([undefined, 500_000]);
  });

  it.each(SIZES)(
    'of %i bytes that a body hands out is an error that names the limit',
    async (bytes) => {
      const result = resultOf(await endOf('give_large', { bytes, where: 'the result' }));
      expect([result.isError, textOf(result)]).toEqual([
        true,
        "The tool's result is larger than 600 KB. Ask for less at once.",
      ]);
    },
    LARGE_MS,
  );

  it.each(SIZES)(
    'of %i bytes that an activity hands to the body ends the task with an error',
    async (bytes) => {
      const ended = await endOf('give_large', { bytes, where: 'an activity' });
      const said = ended.status === 'failed' ? ended.error.message : textOf(resultOf(ended));
      expect(said).toMatch(/larger than \d+ KB/);
    },
    LARGE_MS,
  );

  it.each(SIZES)(
    'of %i bytes as a file is a link that every front reads whole',
    async (bytes) => {
      const { content } = resultOf(await endOf('give_large', { bytes, where: 'a file' }));
      const link = content.find((block) => block.type === 'resource_link');
      expect(link).toMatchObject({ size: bytes, mimeType: 'text/plain' });
      for (const client of [here, there]) {
        const { contents } = await client.request({ method: 'resources/read', params: { uri: link?.uri } });
        const [{ text }] = contents as [{ text: string }];
        expect(text === 'x'.repeat(bytes)).toBe(true);
      }
    },
    LARGE_MS,
  );

  it.each(SIZES)(
    'that is an error with %i bytes of data is that error without them',
    async (bytes) => {
      expect(await endOf('give_large', { bytes, where: 'the data of an error' })).toMatchObject({
        status: 'failed',
        error: { code: -31555, message: expect.stringMatching(/^No such quota\. .*larger than \d+ KB/) },
      });
    },
    LARGE_MS,
  );

  it.each(SIZES)(
    'that is the refusal of an activity in %i bytes is that refusal, cut',
    async (bytes) => {
      const result = resultOf(await endOf('give_large', { bytes, where: 'the failure of an activity' }));
      expect([result.isError, textOf(result)]).toEqual([true, 'x'.repeat(16 * 1024)]);
    },
    LARGE_MS,
  );

  it('that is gathered from forty activities of 200 KB at once is no trouble', async () => {
    const result = resultOf(await endOf('gather', { count: 40, bytes: 200_000 }));
    expect(textOf(result)).toBe('8000000 bytes');
  });
});

describe('an answer of 2.5 MB', () => {
  it('is refused with the limit, and the question stays open for a smaller one', async () => {
    const taskId = await here.create('ask_form', { form: 'note' });
    const asked = await here.until(taskId, ['input_required'], ENDS_WITHIN_MS);
    const [key = ''] = Object.keys(questionsOf(asked));
    const { status, body } = await answer(taskId, key, 'x'.repeat(2.5 * MEGABYTE));
    expect([status, body.error?.code, body.error?.message]).toEqual([
      200,
      -32602,
      expect.stringMatching(/^The answers take \d+ bytes; at most 262144 are taken\. Send less\.$/),
    ]);
    expect(await there.get(taskId)).toEqual(asked);
    await answer(taskId, key, 'x'.repeat(200_000));
    const ended = await here.until(taskId, ['completed'], ENDS_WITHIN_MS);
    expect(resultOf(ended).structuredContent).toMatchObject({ content: { note: 'x'.repeat(200_000) } });
  });
});

describe('arguments', () => {
  it('of 1.4 MB reach the tool whole', async () => {
    expect(textOf(resultOf(await endOf('take_text', { text: 'x'.repeat(1.4 * MEGABYTE) })))).toBe('1400000 characters');
    await created();
  });

  it.each([
    [2.5, 200, -32602, /^The arguments take \d+ bytes; at most 1500000 are taken\. Send less\.$/],
    [4.5, 413, -32600, /^The request body is larger than 4194304 bytes\.$/],
  ])('of %d MB are refused with the limit, and there is no task', async (megabytes, status, code, message) => {
    const call = { name: 'take_text', arguments: { text: 'x'.repeat(megabytes * MEGABYTE) } };
    const refused = await post(`${front.url}/mcp`, { method: 'tools/call', params: call });
    expect([refused.status, refused.body.error?.code, refused.body.error?.message]).toEqual([
      status,
      code,
      expect.stringMatching(message),
    ]);
    expect(await created()).toEqual([]);
  });
});
