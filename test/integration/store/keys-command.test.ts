/** `npm run keys` on a database of its own. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseApiKey } from '../../../store/api-key-format.ts';
import { repositoryRoot } from '../../support/child.ts';
import { compiledEntry } from '../../support/compiled-entry.ts';
import { freePort } from '../../support/free-port.ts';
import { postgresKinds, startPostgres } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const TEST_MS = 60_000;
const API_KEY_PEPPER = randomBytes(32).toString('hex');

type Env = Readonly<Record<string, string>>;
let env: Env;

beforeAll(async () => {
  const url = await (await startPostgres(postgresKinds[0]!)).emptyDatabase();
  env = { DATABASE_URL: url, API_KEY_PEPPER };
}, TEST_MS);

async function keys(
  args: readonly string[],
  variables: Env = env,
): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [compiledEntry('store/keys-main.ts'), ...args], {
    cwd: repositoryRoot,
    env: { PATH, DATA_DIR: await temporaryFolder(), ...variables },
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...said };
}

describe('npm run keys', () => {
  it(
    'makes a key that is shown once, lists it without its secret, and revokes it',
    async () => {
      const created = await keys(['create', '--subject', 'billing robot', '--tenant', 'north', '--expires-days', '30']);
      expect(created).toMatchObject({ code: 0, err: '' });
      const [text = ''] = created.out.split('\n');
      const { keyId, secret } = parseApiKey(text)!;
      expect(created.out).toMatch(/shown once/);

      const listed = await keys(['list']);
      expect(listed.out).toContain(keyId);
      expect(listed.out).not.toContain(secret.toString('hex'));
      for (const said of ['billing robot', 'north', 'tasks:read tasks:write', 'last used  never']) {
        expect(listed.out).toContain(said);
      }

      expect(await keys(['revoke', keyId])).toMatchObject({
        code: 0,
        out: expect.stringContaining(`Revoked ${keyId}.`),
      });
      expect((await keys(['list'])).out).toMatch(/revoked +\d{4}-/);
      expect(await keys(['revoke', '0'.repeat(16)])).toEqual({
        code: 1,
        out: '',
        err: `There is no key ${'0'.repeat(16)}.\n`,
      });
    },
    TEST_MS,
  );

  it(
    'speaks JSON to programs',
    async () => {
      const created = JSON.parse((await keys(['create', '--subject', 's', '--scopes', 'a', '--json'])).out) as {
        key: string;
        keyId: string;
      };
      expect(parseApiKey(created.key)!.keyId).toBe(created.keyId);
      const listed = JSON.parse((await keys(['list', '--json'])).out) as Record<string, unknown>[];
      const found = listed.find(({ keyId }) => keyId === created.keyId);
      expect(found).toEqual({
        keyId: created.keyId,
        subject: 's',
        scopes: ['a'],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      });
    },
    TEST_MS,
  );

  it(
    'says what is missing, without a stack and without a secret',
    async () => {
      const port = String(await freePort());
      const cases = [
        [await keys(['list'], {}), 1, /DATABASE_URL: is needed/],
        [await keys(['list'], { DATABASE_URL: env['DATABASE_URL']! }), 1, /API_KEY_PEPPER: is needed/],
        [
          await keys(['list'], { ...env, DATABASE_URL: `postgres://u:pass-word@127.0.0.1:${port}/d` }),
          1,
          /cannot be reached/,
        ],
        [await keys(['make']), 2, /^Usage:/],
      ] as const;
      for (const [{ code, out, err }, expected, text] of cases) {
        expect({ code, out }).toEqual({ code: expected, out: '' });
        expect(err).toMatch(text);
        expect(err).not.toMatch(/^\s+at |pass-word/m);
      }
    },
    TEST_MS,
  );
});
