/**
 * `npm run check`: what has to hold before each commit, side by side. The output of each part comes whole, when the part
 * has ended; the exit code is that of the worst.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { PROJECT_ROOT } from './settings.js';

/** The slowest first. */
const PARTS = ['test:fast', 'lint', 'typecheck', 'check:format', 'check:imports'];

/** @returns {Promise<number>} */
function run(part) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', part], { cwd: PROJECT_ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    child.stdout.on('data', (chunk) => output.push(chunk));
    child.stderr.on('data', (chunk) => output.push(chunk));
    child.on('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
      if (code !== 0 || part === 'test:fast') process.stdout.write(Buffer.concat(output));
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${part} (${seconds} s)`);
      resolve(code ?? 1);
    });
  });
}

const waiting = [...PARTS];
const codes = [];
async function work() {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) codes.push(await run(part));
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 3) }, work));
process.exitCode = Math.max(...codes);
