/** The commands for operators as a person types them. What each of them does, the tests of each say, on bundles. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from '../../scripts/run-command.js';
import { repositoryRoot } from '../support/child.ts';
import { patiently } from '../support/patience.js';
import { postgresKinds, startPostgres } from '../support/postgres.ts';
import { openProduct, type Product } from '../support/product.ts';

const COMMAND_MS = 30_000;
const TEST_MS = 60_000;

let product: Product;
beforeAll(async () => {
  const postgres = await startPostgres(postgresKinds[0]!);
  const env = { DATABASE_URL: await postgres.emptyDatabase(), API_KEY_PEPPER: randomBytes(32).toString('hex') };
  product = await openProduct({ env });
}, TEST_MS);

describe('npm run', () => {
  it.each([
    ['keys', ['list'], /^There are no API keys\.$/],
    ['principal', ['--local'], /^[0-9a-f]{32} {2}under the principal key [0-9a-f]+$/],
    ['audit', ['verify'], /^0 rows and 0 signed heads were read\. The audit is whole/],
    ['approvals:reconcile', [], /^0 approvals wait\. 0 rows were mended/],
  ])(
    '%s',
    async (name, args, said) => {
      const { PATH = '', HOME = '' } = process.env;
      const { ok, output } = await runCommand('npm', ['run', '--silent', name, '--', ...args], {
        cwd: repositoryRoot,
        env: { PATH, HOME, SETUP_INSTALL: 'off', ...product.env },
        timeoutMs: patiently(COMMAND_MS),
      });
      expect(output.trim()).toMatch(said);
      expect(ok).toBe(true);
    },
    TEST_MS,
  );
});
