/** A disk that is full at once, for a process that writes into a folder. */
import { spawnSync } from 'node:child_process';

/**
 * How to start `command` so that `folder` takes hardly any bytes: on a tiny file system of its own where the kernel lets
 * this user mount one; elsewhere under a limit on the size of files, which refuses the write in the same place. The
 * process sees the mount, nobody else does.
 */
export function onSmallDisk(
  folder: string,
  kilobytes: number,
  command: readonly string[],
): readonly [string, string[]] {
  const run = command.map((word) => `'${word}'`).join(' ');
  const mount = `mount -t tmpfs -o size=${String(kilobytes)}k tmpfs '${folder}'`;
  const canMount = spawnSync('unshare', ['-rm', 'sh', '-c', mount]).status === 0;
  return canMount
    ? ['unshare', ['-rm', 'sh', '-c', `${mount} && exec ${run}`]]
    : ['sh', ['-c', `ulimit -f ${String(kilobytes * 2)}; exec ${run}`]];
}
