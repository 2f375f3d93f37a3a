/** One command run to its end, with a limit in time. Never throws for a command that fails: the caller decides. */
import { spawn } from 'node:child_process';

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ timeoutMs?: number, env?: NodeJS.ProcessEnv, cwd?: string, show?: boolean }} [options]
 * @returns {Promise<{ ok: boolean, output: string }>} `output` holds the end of what it printed, or why it did not start
 */
export function runCommand(command, args, { timeoutMs = 10_000, env, cwd, show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env,
      cwd,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    const collect = (chunk) => (output = (output + chunk).slice(-20_000));
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.once('error', (error) => resolve({ ok: false, output: error.message }));
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') output += `\nno answer within ${timeoutMs / 1000} s`;
      resolve({ ok: code === 0, output });
    });
  });
}
