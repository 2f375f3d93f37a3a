import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { newKeyRingText } from '../../encryption/key-ring.ts';
import { repositoryRoot } from '../support/child.ts';
import { TEST_ENCRYPTION_KEYS, testDataConverter } from '../support/encryption.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readRecorded } from './recorded.ts';

const REPLAY_WITHIN_MS = 120_000;
const completed = readRecorded().find(({ name }) => name === 'purchase-order-completed-after-question')!;

function replay(...args: readonly string[]): Promise<{ code: number; said: string }> {
  return replayWith({}, ...args);
}

function replayWith(
  variables: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const command = ['--import', 'tsx', 'scripts/replay.ts', ...args];
    const env = { ...process.env, ENCRYPTION_KEYS: TEST_ENCRYPTION_KEYS, ...variables };
    const options = { cwd: repositoryRoot, timeout: REPLAY_WITHIN_MS, env };
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr });
    });
  });
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What the SDK writes without a codec: columns, and its own notes on a local activity. */
const ALWAYS_IN_CLEAR = new Set(['searchAttributes', 'data']);

/** The same history as it stands in Temporal where encryption is on: every payload but those that cannot be. */
async function encrypted(value: Json): Promise<Json> {
  if (Array.isArray(value)) return Promise.all(value.map(encrypted));
  if (typeof value !== 'object' || value === null) return value;
  const { metadata, data } = value as { metadata?: Record<string, string>; data?: string };
  if (metadata?.['encoding'] !== undefined) return encryptedPayload(metadata, data ?? '');
  const members = Object.entries(value).map(
    async ([name, member]) => [name, ALWAYS_IN_CLEAR.has(name) ? member : await encrypted(member)] as const,
  );
  return Object.fromEntries(await Promise.all(members));
}

async function encryptedPayload(metadata: Readonly<Record<string, string>>, data: string): Promise<Json> {
  const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64');
  const each = <From, To>(record: Readonly<Record<string, From>>, to: (from: From) => To): Record<string, To> =>
    Object.fromEntries(Object.entries(record).map(([name, from]) => [name, to(from)]));
  const payload = { metadata: each(metadata, bytesOf), data: bytesOf(data) };
  const [written] = await testDataConverter.payloadCodecs![0]!.encode([payload]);
  const base64Of = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  return { metadata: each(written?.metadata ?? {}, base64Of), data: base64Of(written!.data!) };
}

describe('npm run replay', () => {
  it(
    'reads a history that is encrypted, and names the key that it lacks',
    async () => {
      const path = join(await temporaryFolder(), 'encrypted.json');
      const json = JSON.stringify(await encrypted(JSON.parse(completed.json) as Json));
      expect(json).not.toBe(JSON.stringify(JSON.parse(completed.json)));
      await writeFile(path, json);
      expect(await replay(path)).toEqual({
        code: 0,
        said: `Replayed ${path}: the working tree takes the same decisions.\n`,
      });
      const { code, said } = await replayWith({ ENCRYPTION_KEYS: newKeyRingText() }, path);
      expect(said).toContain('under the key "test", which is not in ENCRYPTION_KEYS');
      expect(code).toBe(1);
    },
    REPLAY_WITHIN_MS * 2,
  );

  it(
    'says that the working tree takes the same decisions, and ends with 0',
    async () => {
      const { code, said } = await replay(completed.path);
      expect(said).toBe(`Replayed ${completed.path}: the working tree takes the same decisions.\n`);
      expect(code).toBe(0);
    },
    REPLAY_WITHIN_MS,
  );

  it(
    'names the first command that differs, and ends with 1',
    async () => {
      const path = join(await temporaryFolder(), 'tampered.json');
      await writeFile(path, completed.json.replaceAll('"checkPolicy"', '"checkBudget"'));
      const { code, said } = await replay(path);
      expect(said).toMatch(/diverges\. The first difference:\n.*checkBudget.*checkPolicy/s);
      expect(code).toBe(1);
    },
    REPLAY_WITHIN_MS,
  );

  it(
    'says how it is called when it is given nothing',
    async () => {
      const { code, said } = await replay();
      expect(said).toMatch(/^Usage: npm run replay -- /);
      expect(code).toBe(2);
    },
    REPLAY_WITHIN_MS,
  );
});
