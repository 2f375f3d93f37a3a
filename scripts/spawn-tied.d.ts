import type { ChildProcessByStdio, SpawnOptions } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface TiedOptions extends Omit<SpawnOptions, 'stdio'> {
  readonly signal: 'TERM' | 'INT';
  readonly capability?: string | undefined;
  readonly stdio: ['ignore', 'ignore', 'pipe'];
}

export function spawnTied(
  path: string,
  args: readonly string[],
  options: TiedOptions,
): ChildProcessByStdio<null, null, Readable>;
