/**
 * C26: somebody else's task. Another subject of the same tenant, the same subject of another tenant, nobody, and the owner
 * with less to say; each asks for the task, for an id that never was, and for a task that is forgotten.
 *
 * That ids cannot be guessed: test/unit/server/temporal/task-ids.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { bearer, post, type McpAnswer } from '../../support/mcp-request.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { anAskingCall, openProduct } from '../../support/product.ts';
import { createSignedInClient, type TaskClient } from '../../support/task-client.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';
import { verifies } from '../../support/verifies.ts';

const AUDIENCE = 'https://host.test/mcp';
const METHODS = ['tasks/get', 'tasks/update', 'tasks/cancel'];
const NEVER_WAS = 'AAAAAAAAAAAAAAAAAAAAAA';
const MEASURED_COUNT = 100;

let issuer: TokenIssuer;
let front: RoleProcess;
let owner: TaskClient;
let taskId: string;
let forgottenId: string;
beforeAll(async () => {
  const product = await openProduct();
  issuer = await startTokenIssuer({ audience: AUDIENCE });
  const auth = { AUTH: 'jwt', AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: AUDIENCE, AUTH_TENANT_CLAIM: 'org' };
  [front] = await Promise.all([
    product.startFront({ ...auth, RESULT_RETENTION_MS: '1000' }),
    product.startWorker({ RESULT_RETENTION_MS: '1000' }),
  ]);
  owner = createSignedInClient(await tokenOf('ada', 'north'), front.url);
  [taskId, forgottenId] = [await waiting(), await waiting()];
  await owner.cancel(forgottenId);
  await eventually(
    async () => (await ask('tasks/get', forgottenId, await tokenOf('ada', 'north'))).body.error !== undefined,
    20_000,
  );
}, 90_000);

function tokenOf(sub: string, org: string, scope = 'tasks:read tasks:write'): Promise<string> {
  return issuer.token({ claims: { sub, org, scope } });
}

async function waiting(): Promise<string> {
  const id = await owner.create('purchase_order', anAskingCall());
  await owner.until(id, ['input_required'], 20_000);
  return id;
}

function ask(method: string, id: string, token: string): Promise<McpAnswer> {
  const answers = { inputResponses: { x: { action: 'cancel' } } };
  const params = { taskId: id, ...(method === 'tasks/update' ? answers : {}) };
  return post(`${front.url}/mcp`, { method, params, headers: bearer(token) });
}

/** All that comes back, less the time of day. */
async function seen(method: string, id: string, token: string): Promise<object> {
  const { status, headers, text } = await ask(method, id, token);
  return { status, text, headers: [...headers].filter(([name]) => name !== 'date') };
}

describe.each([
  ['another subject of the same tenant', 'eve', 'north'],
  ['the same subject of another tenant', 'ada', 'south'],
])('%s', (_who, sub, org) => {
  it.each(METHODS)('gets by %s what an id gets that never was, and touches nothing', async (method) => {
    verifies('sec.authorize');
    const token = await tokenOf(sub, org);
    const before = await owner.get(taskId);
    const never = await seen(method, NEVER_WAS, token);
    expect(never).toMatchObject({ status: 200, text: expect.stringContaining('-32602') });
    expect(await seen(method, taskId, token)).toEqual(never);
    expect(await seen(method, forgottenId, token)).toEqual(never);
    expect(await owner.get(taskId)).toEqual(before);
  });

  it('does not see in the time it takes whether there is a task', async () => {
    const token = await tokenOf(sub, org);
    const took: Record<string, number[]> = { [taskId]: [], [NEVER_WAS]: [] };
    for (let count = 0; count < MEASURED_COUNT; count += 1) {
      for (const id of [taskId, NEVER_WAS]) {
        const startedAt = performance.now();
        await ask('tasks/get', id, token);
        took[id]?.push(performance.now() - startedAt);
      }
    }
    const [there = 0, not = 0] = Object.values(took).map(lowerQuartileOf);
    expect(there / not).toBeGreaterThan(0.6);
    expect(there / not).toBeLessThan(1.7);
  }, 60_000);
});

describe('the owner', () => {
  it('gets for a forgotten task what an id gets that never was', async () => {
    const token = await tokenOf('ada', 'north');
    for (const method of METHODS)
      expect(await seen(method, forgottenId, token)).toEqual(await seen(method, NEVER_WAS, token));
  });

  it('with a token that may only read still reads, and changes nothing', async () => {
    const token = await tokenOf('ada', 'north', 'tasks:read');
    const before = await owner.get(taskId);
    expect((await ask('tasks/get', taskId, token)).body.result).toMatchObject(before);
    for (const method of ['tasks/update', 'tasks/cancel']) expect((await ask(method, taskId, token)).status).toBe(403);
    expect(await owner.get(taskId)).toEqual(before);
  });
});

describe('nobody', () => {
  it('is asked to sign in, whatever the id', async () => {
    for (const method of METHODS) {
      for (const id of [taskId, NEVER_WAS]) {
        const params = { taskId: id, inputResponses: {} };
        const { status, text } = await post(`${front.url}/mcp`, { method, params });
        expect([status, text]).toEqual([401, expect.not.stringContaining(id)]);
      }
    }
  });
});

/** What other processes take away shows in the upper half. */
function lowerQuartileOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)] ?? 0;
}
