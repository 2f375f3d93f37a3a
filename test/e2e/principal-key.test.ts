/** A front with a principal key that is not the one of the tasks: it serves, it warns, and the doctor names the key. */
import { execFile } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { msToTs } from '@temporalio/common/lib/time.js';
import { keyIdOf, PRINCIPAL_CHECK_NAME } from '../../server/principal-check.ts';
import { principalOf, type PrincipalRing } from '../../server/principal.ts';
import { recordPrincipalKeys } from '../../server/temporal/principal-record.ts';
import { TemporalService } from '../../server/temporal/temporal-service.ts';
import { repositoryRoot } from '../support/child.ts';
import { compiledEntry } from '../support/compiled-entry.ts';
import { eventually } from '../support/eventually.ts';
import { startRole } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { atScopeEnd } from '../support/scope.ts';
import { temporalAddress } from '../support/temporal.ts';

const [oldKey, newKey, wrongKey] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const WEEK_MS = 7 * 86_400_000;

interface Run {
  readonly code: number;
  readonly output: string;
}

/** A script of the set-up, with `keys` for `PRINCIPAL_KEY`. */
async function run(args: readonly string[], namespace: string, keys: PrincipalRing): Promise<Run> {
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace,
    DATA_DIR: await temporaryFolder(),
    PRINCIPAL_KEY: keys.map((key) => Buffer.from(key ?? []).toString('hex')).join(','),
  };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, cwd: repositoryRoot }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
    });
  });
}

/** A namespace in which no front has been yet. */
async function newNamespace(): Promise<TemporalService> {
  const namespace = `principal-key-${String(process.hrtime.bigint())}`;
  const variables = { TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: namespace };
  const service = TemporalService.connect('principal-key', variables);
  atScopeEnd(() => service.close());
  const workflowExecutionRetentionPeriod = msToTs(WEEK_MS);
  await service.call((rpc) => rpc.registerNamespace({ namespace, workflowExecutionRetentionPeriod }));
  return service;
}

async function recorded(service: TemporalService): Promise<unknown> {
  const { namespace } = service;
  const { namespaceInfo } = await service.call((rpc) => rpc.describeNamespace({ namespace }));
  return namespaceInfo?.data?.[PRINCIPAL_CHECK_NAME];
}

describe('the ids of principal keys in a namespace', () => {
  it('are written by fronts that start together, and changed by those that rotate, not by one with another key', async () => {
    const service = await newNamespace();
    const record = (...ring: PrincipalRing): Promise<boolean> => recordPrincipalKeys(service, ring);
    expect(await Promise.all([record(oldKey), record(oldKey), record(oldKey)])).toEqual([true, true, true]);
    expect(await recorded(service)).toBe(keyIdOf(oldKey));
    expect(await record(wrongKey)).toBe(false);
    expect(await recorded(service)).toBe(keyIdOf(oldKey));
    expect(await record(newKey, oldKey)).toBe(true);
    expect(await recorded(service)).toBe(`${keyIdOf(newKey)},${keyIdOf(oldKey)}`);
    expect(await record(oldKey)).toBe(true);
    expect(await record(newKey)).toBe(true);
    expect(await recorded(service)).toBe(keyIdOf(newKey));
    expect(await record(oldKey)).toBe(false);
  });
});

describe('a wrong principal key', () => {
  let namespace: string;
  beforeAll(async () => {
    const service = await newNamespace();
    ({ namespace } = service);
    await recordPrincipalKeys(service, [oldKey]);
  });

  it('is warned of by a front, which serves all the same', async () => {
    const front = await startRole('front', {
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: namespace,
      DATA_DIR: await temporaryFolder(),
      PRINCIPAL_KEY: wrongKey.toString('hex'),
    });
    await eventually(() => expect(front.output()).toContain('PRINCIPAL_KEY is not the key'), 10_000);
    expect(front.output()).toContain(keyIdOf(wrongKey));
    expect(front.output()).not.toContain(wrongKey.toString('hex'));
    expect((await fetch(`${front.url}/readyz`)).status).toBe(200);
  });

  it('is named by the doctor, with what to do', async () => {
    const { code, output } = await run(['scripts/doctor.js'], namespace, [wrongKey]);
    expect(output).toMatch(new RegExp(`FAIL +wrong principal key ${keyIdOf(wrongKey)}: .*under ${keyIdOf(oldKey)}`));
    expect(output).toContain('→ restore principal.key');
    expect(code).toBe(1);
    const { output: good } = await run(['scripts/doctor.js'], namespace, [oldKey]);
    expect(good).toMatch(new RegExp(`OK +principal key ${keyIdOf(oldKey)}: that of the tasks`));
  }, 60_000);
});

describe('npm run principal', () => {
  it('prints the hash under each key of the ring', async () => {
    const subject = { issuer: 'https://issuer.example', subject: 'ann', tenant: 'acme' };
    const args = Object.entries(subject).flatMap(([name, value]) => [`--${name}`, value]);
    const command = [compiledEntry('scripts/principal.ts'), ...args];
    const { code, output } = await run(command, 'default', [newKey, oldKey]);
    const shown = [newKey, oldKey].map((key) => [principalOf(key, subject), keyIdOf(key)]);
    expect(output.split('\n').map((line) => line.match(/[0-9a-f]{16,}/g))).toEqual([...shown, null]);
    expect(code).toBe(0);
  });

  it.each(['', '--issuer x', '--local --subject x', '--nobody'])('refuses "%s"', async (words) => {
    const args = words.split(' ').filter((word) => word !== '');
    const command = [compiledEntry('scripts/principal.ts'), ...args];
    const { code, output } = await run(command, 'default', [newKey]);
    expect([code, output]).toEqual([2, expect.stringContaining('--issuer ISSUER --subject SUBJECT')]);
  });
});
