import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../support/child.ts';
import { temporaryFolder } from '../support/processes.ts';
import { readRecorded } from './recorded.ts';

const REPLAY_WITHIN_MS = 120_000;
const completed = readRecorded().find(({ name }) => name === 'purchase-order-completed-after-question')!;

function replay(...args: readonly string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const command = ['--import', 'tsx', 'scripts/replay.ts', ...args];
    execFile(process.execPath, command, { cwd: repositoryRoot, timeout: REPLAY_WITHIN_MS }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr });
    });
  });
}

describe('npm run replay', () => {
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
