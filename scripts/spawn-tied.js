/** A program that is not Node.js, so that nothing inside it watches the process that started it; on Linux the kernel does. */
import { spawn } from 'node:child_process';
import { findOnPath } from './find-on-path.js';

/**
 * @param {string} path
 * @param {string[]} args
 * @param {{ signal: 'TERM' | 'INT', capability?: string } & import('node:child_process').SpawnOptions} options
 *   `signal` is what the program gets when this process is gone. With `uid` and `gid` it runs as that user; `capability`
 *   is one that it keeps of root's (Linux only).
 */
export function spawnTied(path, args, { signal, capability, uid, gid, ...options }) {
  const setpriv = process.platform === 'linux' ? findOnPath('setpriv') : undefined;
  if (setpriv === undefined) return spawn(path, args, { uid, gid, ...options });
  const wrapped = ['--pdeathsig', signal];
  if (uid !== undefined) wrapped.push('--reuid', String(uid), '--regid', String(gid), '--clear-groups');
  if (capability !== undefined) wrapped.push('--inh-caps', `+${capability}`, '--ambient-caps', `+${capability}`);
  return spawn(setpriv, [...wrapped, '--', path, ...args], options);
}
