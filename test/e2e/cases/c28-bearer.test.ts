/**
 * C28: whom a token is for, how long it is good, and what becomes of a task while tokens come and go.
 *
 * Claims one by one: test/integration/auth/tokens.test.ts. Revocation: test/e2e/api-keys.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CLOCK_SKEW_MS } from '../../../server/auth/jwt-verifier.ts';
import { endsWithResult } from '../../support/ends-with-result.ts';
import { eventually } from '../../support/eventually.ts';
import { listen } from '../../support/listen-client.ts';
import { bearer, post, type McpAnswer } from '../../support/mcp-request.ts';
import type { RoleProcess } from '../../support/processes.ts';
import { anAskingCall, openProduct } from '../../support/product.ts';
import { createSignedInClient, type TaskClient } from '../../support/task-client.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';
import { verifies } from '../../support/verifies.ts';

const AUDIENCE = 'https://host.test/mcp';
const OTHER = 'https://other.test/mcp';
const NEVER_WAS = 'AAAAAAAAAAAAAAAAAAAAAA';

let issuer: TokenIssuer;
let front: RoleProcess;
beforeAll(async () => {
  const product = await openProduct();
  issuer = await startTokenIssuer({ audience: AUDIENCE });
  const auth = { AUTH: 'jwt', AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: AUDIENCE };
  [front] = await Promise.all([product.startFront(auth), product.startWorker()]);
}, 90_000);

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/** `end` in seconds from now, as the token says it. */
async function tokenUntil(end: number, claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return issuer.token({ claims: { exp: nowSeconds() + end, ...claims } });
}

function get(taskId: string, token: string): Promise<McpAnswer> {
  return post(`${front.url}/mcp`, { method: 'tasks/get', params: { taskId }, headers: bearer(token) });
}

async function waiting(client: TaskClient): Promise<string> {
  const taskId = await client.create('purchase_order', anAskingCall());
  await client.until(taskId, ['input_required'], 20_000);
  return taskId;
}

describe('a token', () => {
  it.each([
    ['for another resource', { aud: OTHER }],
    ['for several others', { aud: [OTHER, 'https://more.test'] }],
    ['for nobody', { aud: undefined }],
    ['for a path below', { aud: `${AUDIENCE}/x` }],
  ])('%s is refused, and the way to a better one is named', async (_what, claims) => {
    const text = 'The access token was not issued for this server.';
    verifies('auth.audience', 'auth.metadata');
    const { status, headers, body } = await get(NEVER_WAS, await issuer.token({ claims }));
    expect([status, headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${front.url}/.well-known/oauth-protected-resource/mcp", ` +
        `scope="tasks:read tasks:write", error="invalid_token", error_description="${text}"`,
    ]);
    expect(body.error?.message).toBe(text);
  });

  it.each([
    ['that names this server among others', () => ({ aud: [OTHER, AUDIENCE] })],
    ['whose audience ends with a slash', () => ({ aud: `${AUDIENCE}/` })],
    ['that has ended 20 s ago by the clock of its issuer', () => ({ exp: nowSeconds() - 20 })],
    ['that begins in 20 s', () => ({ nbf: nowSeconds() + 20 })],
  ])('%s is taken', async (_what, claims) => {
    const { status, body } = await get(NEVER_WAS, await issuer.token({ claims: claims() }));
    expect([status, body.error?.code]).toEqual([200, -32602]);
  });

  it('in the query string is not taken, nor one beside it', async () => {
    verifies('auth.audience');
    const token = await issuer.token();
    for (const query of [`access_token=${token}`, `token=${token}`, `authorization=Bearer%20${token}`]) {
      const { status } = await post(`${front.url}/mcp?${query}`, { method: 'tools/list' });
      expect(status).toBe(401);
    }
    expect(front.output()).not.toContain(token);
  });
});

describe('a task', () => {
  it('outlives the token that began it, and a refreshed one of another client finds it', async () => {
    const first = await tokenUntil(15 - CLOCK_SKEW_MS / 1_000);
    const taskId = await waiting(createSignedInClient(first, front.url));
    const stream = await listen(`${front.url}/mcp`, [taskId], { headers: bearer(first) });
    const expired = await eventually(async () => {
      const answer = await get(taskId, first);
      return answer.status === 401 && answer;
    }, 25_000);
    expect(expired.headers.get('www-authenticate')).toContain('error_description="The access token has expired."');
    await endsWithResult(stream, 10_000);

    const client = createSignedInClient(await tokenUntil(600, { client_id: 'another', azp: 'another' }), front.url);
    expect(await client.get(taskId)).toMatchObject({ status: 'input_required' });
    await client.accept(taskId, { costCentre: '1100' });
    await client.until(taskId, ['completed'], 20_000);
  }, 150_000);

  it('is answered by nobody whose scope for it was taken away', async () => {
    verifies('auth.scope');
    const client = createSignedInClient(await tokenUntil(600), front.url);
    const taskId = await waiting(client);
    const less = await tokenUntil(600, { scope: 'tasks:read' });
    const refused = await post(`${front.url}/mcp`, {
      method: 'tasks/update',
      params: { taskId, inputResponses: {} },
      headers: bearer(less),
    });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringMatching(/scope="tasks:write", error="insufficient_scope"/),
    ]);
    expect(await client.get(taskId)).toMatchObject({ status: 'input_required' });
    await client.cancel(taskId);
  }, 60_000);
});
