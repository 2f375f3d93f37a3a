/** A program that runs to its end. */
import { execFile } from 'node:child_process';
import { repositoryRoot } from '../../../support/child.ts';

export interface Program {
  readonly node: string;
  /** What stands before the arguments of a run: the entry, and options of Node. */
  readonly entry: readonly string[];
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const TIMEOUT_MS = 120_000;

/** Whatever its exit code is. Its environment is `env` and the path, nothing else. */
export function runProgram(
  { node, entry }: Program,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const options = {
    cwd: repositoryRoot,
    env: { PATH: process.env['PATH'], ...env },
    timeout: TIMEOUT_MS,
    maxBuffer: 10_000_000,
  };
  return new Promise((resolve) => {
    execFile(node, [...entry, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}
