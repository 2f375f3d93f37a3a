/** Signing in with API keys that the real command made, in a real database; and both ways at once when that is away. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { RECORD_TTL_MS } from '../../server/auth/api-key-verifier.ts';
import { CHECK_EVERY_MS } from '../../server/auth/signed-out.ts';
import { ApiKeys } from '../../store/api-keys.ts';
import { openDatabase } from '../../store/postgres.ts';
import { repositoryRoot } from '../support/child.ts';
import { compiledEntry } from '../support/compiled-entry.ts';
import { endsWithResult } from '../support/ends-with-result.ts';
import { eventually } from '../support/eventually.ts';
import { openLineClient } from '../support/line-client.ts';
import { listen } from '../support/listen-client.ts';
import { bearer, post, type McpAnswer } from '../support/mcp-request.ts';
import { stdioCommand } from '../support/older-client.ts';
import { postgresKinds, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startTracked, type RoleProcess } from '../support/processes.ts';
import { aCall, anAskingCall, openProduct, type Product } from '../support/product.ts';
import { atScopeEnd } from '../support/scope.ts';
import { createSignedInClient, type TaskClient } from '../support/task-client.ts';
import { startTokenIssuer, type TokenIssuer } from '../support/token-issuer.ts';

const TEST_MS = 120_000;
const SLACK_MS = 10_000;
const AUDIENCE = 'https://host.test/mcp';
const API_KEY_PEPPER = randomBytes(32).toString('hex');

let postgres: TestPostgres;
let issuer: TokenIssuer;
let product: Product;
let front: RoleProcess;
let databaseUrl: string;
beforeAll(async () => {
  [postgres, issuer] = await Promise.all([startPostgres(postgresKinds[0]!), startTokenIssuer({ audience: AUDIENCE })]);
  databaseUrl = await postgres.emptyDatabase();
  product = await openProduct({ env: { DATABASE_URL: databaseUrl, API_KEY_PEPPER } });
  const auth = { AUTH: 'jwt,keys', AUTH_ISSUER: issuer.url, AUTH_AUDIENCE: AUDIENCE };
  [front] = await Promise.all([product.startFront(auth), product.startWorker()]);
}, TEST_MS);

/** What `npm run keys` runs. */
async function keys(...args: readonly string[]): Promise<{ key: string; keyId: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...product.env };
  const command = [compiledEntry('store/keys-main.ts'), ...args, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: repositoryRoot, env });
  return JSON.parse(stdout) as { key: string; keyId: string };
}

/** A task that waits for its caller. */
async function waiting(client: TaskClient): Promise<string> {
  const taskId = await client.create('purchase_order', anAskingCall());
  await client.until(taskId, ['input_required'], 20_000);
  return taskId;
}

function get(taskId: string, token: string): Promise<McpAnswer> {
  return post(`${front.url}/mcp`, { method: 'tasks/get', params: { taskId }, headers: bearer(token) });
}

describe('an API key', () => {
  it(
    'lets the demo client order, which is told to sign in without one',
    async () => {
      const { key } = await keys('create', '--subject', 'shopper');
      const order = async (env: Record<string, string>): Promise<string> => {
        const { PATH = '', HOME = '' } = process.env;
        const command = ['run', '--silent', 'demo', '--', 'demo/requests/office-chairs.json'];
        const options = { cwd: repositoryRoot, env: { PATH, HOME, MCP_URL: `${front.url}/mcp`, ...env } };
        const ended = await promisify(execFile)('npm', command, options).catch(
          (error: unknown) => error as { stdout: string; stderr: string },
        );
        return ended.stdout + ended.stderr;
      };
      expect(await order({ MCP_API_KEY: key })).toMatch(/Order PO-\d+ is posted/);
      expect(await order({})).toContain('The server refused: ');
    },
    TEST_MS,
  );

  it(
    'is good until it is revoked; its tasks go on, and the key that replaces it reaches them',
    async () => {
      const first = await keys('create', '--subject', 'robot');
      const taskId = await waiting(createSignedInClient(first.key, front.url));
      const stream = await listen(`${front.url}/mcp`, [taskId], { headers: bearer(first.key) });
      const second = await keys('create', '--subject', 'robot');
      await keys('revoke', first.keyId);
      const refused = await eventually(async () => {
        const answer = await get(taskId, first.key);
        return answer.status === 401 && answer;
      }, RECORD_TTL_MS + SLACK_MS);
      expect(refused.headers.get('www-authenticate')).toMatch(/error="invalid_token"/);
      await endsWithResult(stream, CHECK_EVERY_MS + RECORD_TTL_MS + SLACK_MS);

      const client = createSignedInClient(second.key, front.url);
      expect(await client.get(taskId)).toMatchObject({ status: 'input_required' });
      await client.accept(taskId, { costCentre: '1100' });
      await client.until(taskId, ['completed'], 20_000);
    },
    TEST_MS,
  );

  it(
    'is good until it expires, and so is a stream that it opened',
    async () => {
      const { db, close } = openDatabase(databaseUrl);
      atScopeEnd(close);
      const made = new ApiKeys(db, Buffer.from(API_KEY_PEPPER));
      const wanted = { environment: 'test', subject: 'short', scopes: ['tasks:read', 'tasks:write'] };
      const lasting = (await made.create(wanted)).text;
      const taskId = await waiting(createSignedInClient(lasting, front.url));
      const short = (await made.create({ ...wanted, expiresAt: Date.now() + 15_000 })).text;
      const stream = await listen(`${front.url}/mcp`, [taskId], { headers: bearer(short) });
      await endsWithResult(stream, 15_000 + SLACK_MS);
      const refused = await get(taskId, short);
      expect([refused.status, refused.body.error?.message]).toEqual([401, 'The API key has expired.']);
      expect((await get(taskId, lasting)).body.result).toMatchObject({ status: 'input_required' });
    },
    TEST_MS,
  );

  it(
    'makes a server over stdio its subject’s',
    async () => {
      const { key } = await keys('create', '--subject', 'desk');
      const env = { ...product.env, MCP_API_KEY: key };
      const client = openLineClient({ ...stdioCommand(env), cwd: repositoryRoot });
      const { result } = await client.request('tools/call', { name: 'purchase_order', arguments: anAskingCall() });
      expect((await get(result.taskId, key)).body.result).toMatchObject({ taskId: result.taskId });
      const { key: other } = await keys('create', '--subject', 'another desk');
      expect((await get(result.taskId, other)).body.error?.message).toMatch(/^No such task/);
    },
    TEST_MS,
  );

  it(
    'is refused over stdio too once it is revoked, in the same words, and its subscription ends',
    async () => {
      const { key, keyId } = await keys('create', '--subject', 'former desk');
      const client = openLineClient({
        ...stdioCommand({ ...product.env, MCP_API_KEY: key }),
        cwd: repositoryRoot,
      });
      const { result } = await client.request('tools/call', { name: 'purchase_order', arguments: anAskingCall() });
      const { taskId } = result;
      const listenId = client.send('subscriptions/listen', { notifications: { taskIds: [taskId] } });
      await eventually(() => client.frames().some(({ method }) => method === 'notifications/tasks'), 20_000);
      await keys('revoke', keyId);
      const refused = await eventually(async () => {
        const { error } = await client.request('tasks/get', { taskId });
        return error ?? false;
      }, RECORD_TTL_MS + SLACK_MS);
      expect(refused).toEqual({ code: -32600, message: 'The API key is not valid here.' });
      await eventually(async () => (await get(taskId, key)).status === 401, RECORD_TTL_MS + SLACK_MS);
      expect((await get(taskId, key)).body.error).toEqual(refused);
      const ended = await eventually(
        () => client.frames().find(({ id }) => id === listenId) ?? false,
        CHECK_EVERY_MS + RECORD_TTL_MS + SLACK_MS,
      );
      expect(ended.result).toMatchObject({ resultType: 'complete' });

      const { key: next } = await keys('create', '--subject', 'former desk');
      expect((await get(taskId, next)).body.result).toMatchObject({ status: 'input_required' });
    },
    TEST_MS,
  );

  it(
    'that is not good starts no server over stdio, and is not repeated',
    async () => {
      const MCP_API_KEY = 'mcp_live_0123456789abcdef_secret_00000000';
      const refused = startTracked({
        name: 'stdio',
        command: process.execPath,
        args: [compiledEntry('server/stdio-main.ts')],
        env: { ...product.env, MCP_API_KEY },
        isReady: () => false,
      });
      const said = await refused.then(String, String);
      expect(said).toContain('ended before it was ready');
      expect(said).toContain('MCP_API_KEY: The API key is not valid here.');
      expect(said).not.toContain(MCP_API_KEY);
    },
    TEST_MS,
  );
});

describe('a database that is away', () => {
  it(
    'keeps out API keys that nobody has looked up, for now, and nobody else',
    async () => {
      const { key } = await keys('create', '--subject', 'robot');
      const byToken = createSignedInClient(await issuer.token(), front.url);
      postgres.signal('SIGKILL');
      await postgres.ended();

      const refused = await get('AAAAAAAAAAAAAAAAAAAAAA', key);
      expect([refused.status, refused.headers.get('retry-after'), refused.body.error]).toEqual([
        503,
        '5',
        { code: -32603, message: 'The API key cannot be checked at the moment. Try again in a few seconds.' },
      ]);
      expect(refused.headers.get('www-authenticate')).toBeNull();
      const taskId = await byToken.create('purchase_order', aCall());
      await byToken.until(taskId, ['completed'], 20_000);

      await postgres.restart();
      await eventually(async () => (await get('AAAAAAAAAAAAAAAAAAAAAA', key)).status === 200, 20_000);
    },
    TEST_MS,
  );
});
