/** Whether the packages are those of the lockfile: told by the list that npm leaves in node_modules. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { dependencyProblem } from '../../../scripts/dependencies.js';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Package {
  readonly version?: string;
  readonly optional?: boolean;
  readonly link?: boolean;
}
type Packages = Readonly<Record<string, Package>>;

const WANTED: Packages = {
  '': { version: '0.1.0' },
  'node_modules/zod': { version: '4.0.1' },
  'node_modules/fsevents': { version: '2.3.3', optional: true },
  'node_modules/linked': { link: true },
};

async function problemWith(installed: Packages | undefined): Promise<string | undefined> {
  const root = await temporaryFolder();
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: WANTED }));
  if (installed !== undefined) {
    await mkdir(join(root, 'node_modules'));
    await writeFile(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: installed }));
  }
  return dependencyProblem(root);
}

it.each([
  ['missing', undefined, 'node_modules is missing'],
  [
    'those of the lockfile, less what this platform has no use for',
    { 'node_modules/zod': { version: '4.0.1' } },
    undefined,
  ],
  [
    'of another version',
    { 'node_modules/zod': { version: '3.25.0' } },
    'node_modules/zod is 3.25.0, the lockfile wants 4.0.1',
  ],
  ['there in part', {}, 'node_modules/zod is missing, the lockfile wants 4.0.1'],
  [
    'an optional one of another version',
    { 'node_modules/zod': { version: '4.0.1' }, 'node_modules/fsevents': { version: '1.0.0' } },
    'node_modules/fsevents is 1.0.0, the lockfile wants 2.3.3',
  ],
] as const)('packages that are %s', async (_how, installed, problem) => {
  expect(await problemWith(installed)).toBe(problem);
});
