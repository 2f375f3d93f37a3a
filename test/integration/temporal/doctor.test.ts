/** `npm run doctor` in set-ups that are broken in one way each: it names what, says how to mend it, and ends with 1. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommand } from '../../../scripts/run-command.js';
import { repositoryRoot } from '../../support/child.ts';
import { freePort } from '../../support/free-port.ts';
import { patiently } from '../../support/patience.js';
import { atScopeEnd } from '../../support/scope.ts';
import { temporalAddress } from '../../support/temporal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const COMMAND_MS = 30_000;
const NOWHERE = '127.0.0.1:9';

let env: Record<string, string> = {};
/** Of its own: in that of the run, fronts of other tests leave under which key their tasks were made. */
let namespace = '';

beforeAll(async () => {
  namespace = `doctored-${randomUUID()}`;
  const prepared = await run(['scripts/prepare-namespace.js', '--owned', '--wait-ms', '30000'], {
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace,
  });
  expect(prepared).toMatchObject({ ok: true });
}, COMMAND_MS);

beforeEach(async () => {
  env = {
    PATH: process.env['PATH'] ?? '',
    TEMPORAL_CLI_PATH: process.env['TEMPORAL_CLI_PATH'] ?? '',
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace,
    TASK_QUEUE: `test-${randomUUID()}`,
    DATA_DIR: await temporaryFolder(),
    PORT: String(await freePort()),
    WORKER_PORT: String(await freePort()),
    ERP_PORT: String(await freePort()),
  };
});

function run(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<{ ok: boolean; output: string }> {
  const timeoutMs = patiently(COMMAND_MS);
  return runCommand(process.execPath, [...args], { cwd: repositoryRoot, env: variables, timeoutMs });
}

function doctor(more: Readonly<Record<string, string>> = {}): Promise<{ ok: boolean; output: string }> {
  return run(['scripts/doctor.js'], { ...env, ...more });
}

/** Held by somebody who is none of us. */
async function takenPort(): Promise<string> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  atScopeEnd(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  return String((server.address() as { port: number }).port);
}

async function fileWith(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'file');
  await writeFile(path, text, { mode: 0o644 });
  return path;
}

describe('npm run doctor', () => {
  it('finds nothing to mend in a set-up that only has not started yet', async () => {
    const { ok, output } = await doctor();
    expect(output).toMatch(/^OK +Temporal answers$/m);
    expect(output).toMatch(/^WARN +no worker polls the task queue "test-.*\n +→ npm run worker; check TASK_QUEUE$/m);
    expect(output).toMatch(/, 0 to mend\n$/);
    expect(ok).toBe(true);
  });

  it.each([
    [
      'Temporal is out of reach',
      () => ({ TEMPORAL_ADDRESS: NOWHERE }),
      /Temporal does not answer at .*\n +→ check TEMP/,
    ],
    [
      'its namespace is not there',
      () => ({ TEMPORAL_NAMESPACE: 'none' }),
      /namespace "none" does not .*\n +→ .*--owned/,
    ],
    [
      'its namespace forgets too soon',
      () => ({ RESULT_RETENTION_MS: String(1_000 * 3_600_000) }),
      /keeps ended tasks for 168 h; .* 1000 h\.\n +→ Raise it: +temporal operator namespace update -n doctored-/,
    ],
    [
      'a port is taken',
      async () => ({ PORT: await takenPort() }),
      /port \d+ \(PORT\) is taken, and not by the MCP server\n +→ stop that program, or set PORT/,
    ],
    [
      'the ERP is out of reach',
      () => ({ ERP_URL: `http://${NOWHERE}` }),
      /the ERP at ERP_URL cannot .*\n +→ check ERP_/,
    ],
    [
      'its folder cannot be written',
      async () => ({ BLOB_DIR: join(await fileWith(''), 'blobs') }),
      /BLOB_DIR .* cannot be written\n +→ give this user the folder, or set BLOB_DIR to another one/,
    ],
  ] as const)(
    'says it when %s',
    async (_what, broken, words) => {
      const { ok, output } = await doctor(await broken());
      expect(output).toMatch(new RegExp(`^FAIL +.*${words.source}`, 'm'));
      expect(output).toMatch(/, 1 to mend\n$/);
      expect(ok).toBe(false);
    },
    COMMAND_MS,
  );

  it('says it when others can read the principal key', async () => {
    const path = join(env['DATA_DIR'] ?? '', 'principal.key');
    await writeFile(path, 'ab'.repeat(32), { mode: 0o644 });
    const { ok, output } = await doctor();
    expect(output).toContain(`FAIL ${path} can be read by others (mode 644)\n     → chmod 600 ${path}`);
    expect(ok).toBe(false);
  });
});
