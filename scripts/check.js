/**
 * `npm run check`: what has to hold before each commit, side by side. The output of each part comes whole, when the part
 * has ended; the exit code is that of the worst.
 *
 * Syntax is linted again only where it has changed, by content; what rests on types is looked at whole each time.
 */
import { spawn } from 'node:child_process';
import { PROJECT_ROOT } from './settings.js';

/** The slowest first. */
const PARTS = ['test:fast', 'lint', 'lint:types', 'check:imports', 'check:format'];

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
// The tests take as many processors as there are and wait now and then; the others go one after the other beside them.
await Promise.all([work(), work()]);
process.exitCode = Math.max(...codes);
