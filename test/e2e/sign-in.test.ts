/**
 * Signing in with access tokens: a real front, a real authorization server, the official clients.
 *
 * Every way that a token can be wrong: test/integration/auth/tokens.test.ts; its life beside a task: cases/c28-bearer.test.ts.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  auth,
  Client,
  extractWWWAuthenticateParams,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startAuthorizationServer, type AuthorizationServer } from '../support/authorization-server.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { InboxVisitor, wordsOf } from '../support/inbox-visitor.ts';
import { backFromIssuer } from '../support/issuer-sign-in.ts';
import { bearer, post } from '../support/mcp-request.ts';
import { OAuthClient } from '../support/oauth-client.ts';
import { connectOlderClient } from '../support/older-client.ts';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { startRole } from '../support/processes.ts';
import { aCall, anAskingCall, openProduct, ordersOf, type Product } from '../support/product.ts';
import { atScopeEnd } from '../support/scope.ts';
import { createSignedInClient, resultOf, textOf } from '../support/task-client.ts';
import { verifies } from '../support/verifies.ts';

const TEST_MS = 90_000;

let product: Product;
let authorization: AuthorizationServer;
let origin: string;
let mcpUrl: URL;
beforeAll(async () => {
  const PORT = String(await freePort());
  origin = `http://127.0.0.1:${PORT}`;
  mcpUrl = new URL(`${origin}/mcp`);
  const inbox = {
    client_id: 'inbox',
    token_endpoint_auth_method: 'none',
    redirect_uris: [`${origin}/inbox/sign-in/callback`],
  } as const;
  const DATABASE_URL = await (await startPostgres(postgresKinds[0]!)).emptyDatabase();
  [product, authorization] = await Promise.all([
    openProduct({ env: { DATABASE_URL } }),
    startAuthorizationServer({ resources: [mcpUrl.href], clients: [inbox] }),
  ]);
  const AUTH = { AUTH: 'jwt', AUTH_ISSUER: authorization.issuer, AUTH_AUDIENCE: mcpUrl.href };
  const INBOX = { INBOX_CLIENT_ID: inbox.client_id, INBOX_URL: `${origin}/inbox` };
  await Promise.all([product.startFront({ PORT, ...AUTH, ...INBOX }), product.startWorker()]);
}, TEST_MS);

/** The person behind `client` agrees to what it asks for. */
async function approve(client: OAuthClient, as = 'ada'): Promise<{ code: string; iss: string }> {
  const { searchParams } = await authorization.approve(client.authorizationUrl!, as);
  return { code: searchParams.get('code')!, iss: searchParams.get('iss')! };
}

async function tokenFor(as: string, scope: string): Promise<string> {
  const client = new OAuthClient();
  await auth(client, { serverUrl: mcpUrl, scope });
  const { code: authorizationCode, iss } = await approve(client, as);
  await auth(client, { serverUrl: mcpUrl, scope, authorizationCode, iss });
  return client.tokens()!.access_token;
}

describe('a request without a token', () => {
  it('is sent to a document that says who issues tokens', async () => {
    verifies('auth.metadata');
    const response = await fetch(mcpUrl, { method: 'POST' });
    expect(response.status).toBe(401);
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    expect(scope).toBe('tasks:read tasks:write');
    const metadata = await fetch(resourceMetadataUrl!);
    expect([metadata.status, await metadata.json()]).toEqual([
      200,
      {
        resource: mcpUrl.href,
        authorization_servers: [authorization.issuer],
        scopes_supported: ['tasks:read', 'tasks:write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Durable MCP Tasks',
      },
    ]);
  });
});

describe('the official client', () => {
  it(
    'finds out where to sign in, and orders as a task that its token finds again',
    async () => {
      const provider = new OAuthClient();
      const transport = (): StreamableHTTPClientTransport =>
        new StreamableHTTPClientTransport(mcpUrl, { authProvider: provider });
      const client = (): Client =>
        new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
      const first = transport();
      await expect(client().connect(first)).rejects.toThrow(UnauthorizedError);
      const { code, iss } = await approve(provider);
      await first.finishAuth(code, iss);
      const signedIn = client();
      await signedIn.connect(transport());
      atScopeEnd(() => signedIn.close());
      const { structuredContent } = await signedIn.callTool({ name: 'purchase_order', arguments: { ...aCall() } });
      const { taskId } = structuredContent as { taskId: string };

      const tasks = createSignedInClient(provider.tokens()!.access_token, origin);
      expect(textOf(resultOf(await tasks.get(taskId)))).toMatch(/^Order PO-\d+ is posted/);
      expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
    },
    TEST_MS,
  );

  it(
    'of version 1 does so too',
    async () => {
      const provider = new OAuthClient();
      const transport = (): OlderTransport => new OlderTransport(mcpUrl, { authProvider: provider });
      const first = transport();
      await expect(connectOlderClient(first)).rejects.toThrow('Unauthorized');
      const { code } = await approve(provider);
      await first.finishAuth(code);
      const client = await connectOlderClient(transport());
      const { isError, structuredContent } = await client.callTool({
        name: 'purchase_order',
        arguments: { ...aCall() },
      });
      expect([isError, structuredContent]).toEqual([undefined, expect.objectContaining({ status: 'posted' })]);
    },
    TEST_MS,
  );
});

describe('a token that may only read', () => {
  it(
    'reads the tasks of its subject, and is told of all that a write needs',
    async () => {
      verifies('auth.scope');
      const [full, readOnly] = [await tokenFor('ada', 'tasks:read tasks:write'), await tokenFor('ada', 'tasks:read')];
      const tasks = createSignedInClient(full, origin);
      const taskId = await tasks.create('purchase_order', anAskingCall());
      const before = await tasks.until(taskId, ['input_required'], 20_000);

      const reader = createSignedInClient(readOnly, origin);
      expect(await reader.get(taskId)).toEqual(before);
      const writes = [
        { method: 'tasks/update', params: { taskId, inputResponses: {} } },
        { method: 'tasks/cancel', params: { taskId } },
        { method: 'tools/call', params: { name: 'purchase_order', arguments: aCall() } },
      ];
      for (const write of writes) {
        const refused = await post(mcpUrl.href, { ...write, headers: bearer(readOnly) });
        expect([refused.status, refused.body.error?.message]).toEqual([403, 'This needs the scope tasks:write.']);
        expect(refused.headers.get('www-authenticate')).toBe(
          `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="tasks:write", ` +
            'error="insufficient_scope", error_description="This needs the scope tasks:write."',
        );
      }
      expect(await tasks.get(taskId)).toEqual(before);
      await tasks.cancel(taskId);
    },
    TEST_MS,
  );
});

describe('a task that was started with a token', () => {
  it(
    'is seen, answered and cancelled in the inbox by the same subject, who signs in there by OpenID Connect, and by nobody else',
    async () => {
      const tasks = createSignedInClient(await tokenFor('ada', 'tasks:read tasks:write'), origin);
      const ids = [
        await tasks.create('purchase_order', anAskingCall()),
        await tasks.create('purchase_order', anAskingCall()),
      ];
      const [toAnswer, toCancel] = ids as [string, string];
      for (const taskId of ids) await tasks.until(taskId, ['input_required'], 20_000);

      const [ada, bob] = [new InboxVisitor(origin), new InboxVisitor(origin)];
      const list = await ada.get(await backFromIssuer(authorization, ada, 'ada', '/inbox/tasks'));
      expect([list.status, list.address]).toEqual([200, '/inbox/tasks']);
      await eventually(async () => {
        const { text } = await ada.get('/inbox/tasks');
        return ids.every((taskId) => text.includes(taskId));
      }, 20_000);
      const page = await ada.get(`/inbox/tasks/${toAnswer}`);
      await ada.submit(page, '/answer', { 'field.costCentre': '2100', action: 'accept' });
      const result = resultOf(await tasks.until(toAnswer, ['completed'], 20_000));
      expect(result.structuredContent).toMatchObject({ status: 'posted', costCentre: '2100' });
      await ada.submit(await ada.get(`/inbox/tasks/${toCancel}`), '/cancel');
      await tasks.until(toCancel, ['cancelled'], 20_000);
      expect(wordsOf(await ada.get(`/inbox/tasks/${toCancel}`))).toContain('cancelled');

      expect((await bob.get(await backFromIssuer(authorization, bob, 'bob', '/inbox/tasks'))).text).not.toContain(
        toAnswer,
      );
      const [foreign, unknown] = [await bob.get(`/inbox/tasks/${toAnswer}`), await bob.get('/inbox/tasks/unknown')];
      expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    },
    TEST_MS,
  );
});

describe('a front that asks nobody', () => {
  it(
    'does not start on an address that others reach',
    async () => {
      await expect(startRole('front', { ...product.env, HOST: '0.0.0.0' })).rejects.toThrow(
        /HOST: must be a loopback address .* while AUTH=none/,
      );
    },
    TEST_MS,
  );
});
