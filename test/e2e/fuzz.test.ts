/** A short run of `npm run fuzz`, so that it is known to work; the long one is for whoever changes a door. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { repositoryRoot } from '../support/child.ts';

const RUN_MS = 240_000;

it(
  'three hundred bad requests leave the server, its other clients and its memory as they were',
  async () => {
    const { TEMPORAL_ADDRESS: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'test/fuzz/run-fuzz.ts', '--count', '300'],
      { cwd: repositoryRoot, env: { ...env, NODE_OPTIONS: '' }, timeout: RUN_MS },
    );
    expect(stdout).toMatch(/300 bad requests .* 0 violations\n$/);
  },
  RUN_MS,
);
