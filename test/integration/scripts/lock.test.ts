/** Locks between real processes, as `npm start`, set-up and tests take them side by side. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { repositoryRoot } from '../../support/child.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PROCESSES = 4;
const LOCKS = 300;

/** Tries each lock in turn once its input says so, tells which it has, and holds them until its input ends. */
const TAKER = `
  import { once } from 'node:events';
  import { tryLock } from './scripts/lock.js';
  console.log('ready');
  await once(process.stdin, 'data');
  const held = [];
  for (let lock = 0; lock < ${String(LOCKS)}; lock += 1) {
    if ('release' in tryLock(process.argv[1] + '/' + lock)) held.push(lock);
  }
  console.log(JSON.stringify(held));
`;

async function startTaker(folder: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', TAKER, folder], {
    cwd: repositoryRoot,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atScopeEnd(async () => {
    child.kill('SIGKILL');
  });
  await once(child.stdout, 'data');
  return {
    go: () => child.stdin.write('go\n'),
    held: async (): Promise<readonly number[]> => {
      const [told] = (await once(child.stdout, 'data')) as [Buffer];
      return JSON.parse(told.toString()) as number[];
    },
    end: async (): Promise<void> => {
      child.stdin.end();
      await text(child.stdout);
    },
  };
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid ?? 0;
}

it('a lock that a dead process has left is taken by one of those who find it in the same instant', async () => {
  const folder = await temporaryFolder();
  const dead = String(await deadPid());
  for (let lock = 0; lock < LOCKS; lock += 1) await writeFile(join(folder, String(lock)), dead);
  const takers = await Promise.all(Array.from({ length: PROCESSES }, () => startTaker(folder)));
  const answers = Promise.all(takers.map(({ held }) => held()));
  for (const { go } of takers) go();
  const held = (await answers).flat();
  expect(held.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LOCKS }, (_, lock) => lock));
  await Promise.all(takers.map(({ end }) => end()));
}, 60_000);
