/**
 * C52: one client polls in a storm, beside one that keeps to what it is told. The storm is slowed by 429 and adds nothing
 * to any history; ending a task and answering one are not held up, and the other client notices nothing.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { principalOf } from '../../../server/principal.ts';
import { bearer, post, type McpAnswer } from '../../support/mcp-request.ts';
import { readMetric } from '../../support/metrics.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { anAskingCall, kill9, openProduct } from '../../support/product.ts';
import { runRounds } from '../../support/rounds.ts';
import { createSignedInClient, questionsOf, type TaskClient } from '../../support/task-client.ts';
import { openTemporal, type TestTemporal } from '../../support/temporal.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';
import { verifies } from '../../support/verifies.ts';

const AUDIENCE = 'https://host.test/mcp';
const POLLS_PER_SECOND = 20;
const STORM = 200;
const TASKS = 200;
const SECONDS = 3;
const CREATES_AT_ONCE = 20;
const TOO_MANY_POLLS = -31004;
const NEVER_WAS = 'A'.repeat(22);

interface Polling {
  readonly token: string;
  readonly client: TaskClient;
  /** It waits for its caller, and no worker has anything to do for it. */
  readonly taskId: string;
  readonly historyLength: () => Promise<number>;
}

const principalKey = randomBytes(32);
let issuer: TokenIssuer;
let front: RoleProcess;
let worker: RoleProcess;
let unlimited: RoleProcess;
let temporal: TestTemporal;

beforeAll(async () => {
  const product = await openProduct({ env: { PRINCIPAL_KEY: principalKey.toString('hex') } });
  issuer = await startTokenIssuer({ audience: AUDIENCE });
  const auth = { AUTH: 'jwt', AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: AUDIENCE };
  [front, unlimited, worker] = await Promise.all([
    product.startFront({ ...auth, LIMIT_POLLS_PER_SECOND: String(POLLS_PER_SECOND) }),
    product.startFront(auth),
    product.startWorker(),
  ]);
  temporal = await openTemporal();
}, 60_000);

async function startPolling(sub: string): Promise<Polling> {
  const token = await issuer.token({ claims: { sub, scope: 'tasks:read tasks:write' } });
  const client = createSignedInClient(token, front.url);
  const taskId = await client.create('purchase_order', anAskingCall());
  await client.until(taskId, ['input_required'], 20_000);
  const workflowId = `mcp-task/${principalOf(principalKey, { issuer: issuer.url, subject: sub })}/${taskId}`;
  const handle = temporal.client.workflow.getHandle(workflowId);
  return { token, client, taskId, historyLength: async () => (await handle.describe()).historyLength };
}

function send(token: string, method: string, params: object): Promise<McpAnswer> {
  return post(`${front.url}/mcp`, { method, params: { ...params }, headers: bearer(token) });
}

it('a poll storm is slowed by 429, grows no history, keeps neither an answer nor a cancel out, and is not noticed by others', async () => {
  verifies('poll.limit');
  const [noisy, calm] = [await startPolling('noisy'), await startPolling('calm')];
  const { token, taskId } = noisy;
  const unwanted = await noisy.client.create('purchase_order', anAskingCall());
  const asked = await calm.client.get(calm.taskId);
  const [key] = Object.keys(questionsOf(asked));
  const before = await noisy.historyLength();

  const startedAt = performance.now();
  const storm = Promise.all(
    Array.from({ length: STORM }, (_, index) =>
      send(token, 'tasks/get', { taskId: index % 2 === 0 ? taskId : NEVER_WAS }),
    ),
  );
  // In the middle of it: an error of any kind throws.
  expect(await calm.client.get(calm.taskId)).toEqual(asked);
  await calm.client.answer(calm.taskId, { [key!]: { action: 'decline' } });
  const answer = await send(token, 'tasks/update', { taskId, inputResponses: { never: { action: 'decline' } } });
  const cancel = await send(token, 'tasks/cancel', { taskId: unwanted });
  for (const { status, body } of [answer, cancel]) expect([status, body.error]).toEqual([200, undefined]);
  await calm.client.get(calm.taskId);
  const answers = await storm;
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000) + 1;

  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(Math.max(STORM - POLLS_PER_SECOND * seconds, 1));
  for (const { headers, body } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect([body.error?.code, body.id]).toEqual([TOO_MANY_POLLS, 1]);
  }
  // What was let through is answered as ever: the task for its own id, not found for the unknown one.
  const passed = answers.filter(({ status }) => status !== 429);
  const outcomes = new Set(passed.map(({ body }) => body.error?.code ?? body.result.status));
  expect([...outcomes].filter((outcome) => outcome !== 'input_required' && outcome !== -32602)).toEqual([]);
  expect(await noisy.historyLength()).toBe(before);
  expect(await readMetric(front.url, 'mcp_limit_refusals_total', { limit: 'polls' })).toBe(refused.length);
}, 60_000);

it('a client is asked to come back later by an interval that is never 0, and longer while a person is waited for', async () => {
  const { client, taskId } = await startPolling('patient');
  const intervals = [(await client.get(taskId)).pollIntervalMs];
  await client.accept(taskId, { costCentre: '1100' });
  intervals.push((await client.get(taskId)).pollIntervalMs);
  expect(intervals).toEqual([5_000, 1_000]);
  const ended = await client.until(taskId, ['completed'], 20_000);
  expect(ended.pollIntervalMs).toBe(1_000);
}, 60_000);

// Last: it ends the worker.
it(`${TASKS} tasks that are polled every second take no worker and grow no history`, async () => {
  const token = await issuer.token({ claims: { sub: 'busy', scope: 'tasks:read tasks:write' } });
  const client = createSignedInClient(token, unlimited.url);
  const taskIds: string[] = [];
  await runRounds(TASKS, CREATES_AT_ONCE, async () => {
    const taskId = await client.create('purchase_order', anAskingCall());
    await client.until(taskId, ['input_required'], 30_000);
    taskIds.push(taskId);
  });
  await kill9(worker);
  const principal = principalOf(principalKey, { issuer: issuer.url, subject: 'busy' });
  const lengths = (): Promise<number[]> =>
    Promise.all(
      taskIds.map(async (taskId) => {
        const handle = temporal.client.workflow.getHandle(`mcp-task/${principal}/${taskId}`);
        return (await handle.describe()).historyLength;
      }),
    );
  const before = await lengths();
  for (let second = 0; second < SECONDS; second += 1) {
    const [seen] = await Promise.all([Promise.all(taskIds.map((taskId) => client.get(taskId))), delay(1_000)]);
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(['input_required']));
  }
  expect(await lengths()).toEqual(before);
  expect(await readMetric(unlimited.url, 'mcp_limit_refusals_total', { limit: 'polls' })).toBe(0);
}, 120_000);
