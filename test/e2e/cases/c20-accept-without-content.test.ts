/**
 * C20: accept without content, decline with content. Only an accepted answer that holds what the form requires is taken,
 * nothing is filled in from its defaults, and what does not fit is asked again with the reason.
 *
 * Every answer against the pure check: test/unit/protocol/answer-check.test.ts.
 */
import { beforeAll, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../protocol/task.ts';
import { createTaskClient, questionsOf, resultOf, textOf, type TaskClient } from '../../support/task-client.ts';
import { openCaseServer } from './support/case-server.ts';
import { verdictOn } from './support/raw-answer.ts';

const ENDS_WITHIN_MS = 20_000;

let origin = '';
let client: TaskClient;

beforeAll(async () => {
  const server = await openCaseServer();
  const [front] = await Promise.all([server.startFront(), server.startWorker()]);
  origin = front.url;
  client = createTaskClient(origin);
}, 60_000);

it.each<[string, JsonObject]>([
  ['{"action":"accept","content":{"approve":true}}', { action: 'accept', content: { approve: true } }],
  ['{"action":"accept","content":{"approve":false}}', { action: 'accept', content: { approve: false } }],
  ['{"action":"decline"}', { action: 'decline', content: {} }],
  ['{"action":"decline","content":{"approve":true}}', { action: 'decline', content: {} }],
  ['{"action":"decline","content":null}', { action: 'decline', content: {} }],
  ['{"action":"decline","content":{"approve":"maybe"}}', { action: 'decline', content: {} }],
  ['{"action":"cancel"}', { action: 'cancel', content: {} }],
])('%s is taken for what it says', async (answer, taken) => {
  expect(await verdictOn(client, origin, 'approve', answer)).toEqual({ taken });
});

it.each([
  ['{"action":"accept"}', 'an accepted answer needs a content object'],
  ['{"action":"accept","content":null}', 'an accepted answer needs a content object'],
  ['{"action":"accept","content":{}}', 'approve is missing'],
  ['{"action":"accept","content":{"input":true}}', 'approve is missing'],
  ['{"action":"accept","content":{"approve":"true"}}', 'approve must be true or false'],
  ['{"action":"accept","content":{"approve":1}}', 'approve must be true or false'],
  ['{"action":"accept","content":{"approve":null}}', 'approve must be true or false'],
  ['{"action":"ACCEPT","content":{"approve":true}}', 'action must be accept, decline or cancel'],
  ['{"action":"approve","content":{"approve":true}}', 'action must be accept, decline or cancel'],
  ['{}', /must be/],
  ['null', /must be/],
  ['"accept"', /must be/],
  ['{"result":{"action":"accept","content":{"approve":true}}}', /must be/],
])('%s approves nothing and is asked again with the reason', async (answer, reason) => {
  expect(await verdictOn(client, origin, 'approve', answer)).toEqual({
    askedAgain: expect.stringMatching(
      new RegExp(`^The last answer could not be used: .*${typeof reason === 'string' ? reason : reason.source}`),
    ),
  });
});

it('an answer that never fits ends the task, completed with an error that says why, and approves nothing', async () => {
  const taskId = await client.create('ask_form', { form: 'approve' });
  for (let seen = await client.until(taskId, ['input_required'], ENDS_WITHIN_MS); seen.status === 'input_required';) {
    const [key = ''] = Object.keys(questionsOf(seen));
    await client.answer(taskId, { [key]: { action: 'accept', content: {} } });
    seen = await client.until(taskId, ['input_required', 'completed', 'failed'], ENDS_WITHIN_MS);
  }
  const result = resultOf(await client.get(taskId));
  expect([result.isError, textOf(result)]).toEqual([
    true,
    'No answer to "Fill this in." could be used. The last one: approve is missing.',
  ]);
});
