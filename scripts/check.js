/**
 * `npm run check`: what has to hold before each commit, side by side. The output of each part comes whole, when the part
 * has ended; the exit code is that of the worst.
 *
 * Lint, types and format look again only at what has changed, by content. A finding that rests on the types of another file
 * may come a run late; a fresh checkout has no such cache and finds it.
 */
import { spawn } from 'node:child_process';
import { availableParallelism, setPriority } from 'node:os';
import { PROJECT_ROOT } from './settings.js';

/** The slowest first. */
const PARTS = ['check:code', 'test:fast', 'check:format', 'check:imports'];
/** It runs on one thread: the others leave it a processor of its own. */
const LONGEST = 'check:code';
const LESS_URGENT = 5;

/** A wish: a part that has ended already, or a system that does not allow it, changes nothing but the time it takes. */
function makeLessUrgent(pid) {
  try {
    setPriority(pid, LESS_URGENT);
  } catch {
    // As urgent as the others, then.
  }
}

/** @returns {Promise<number>} */
function run(part) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', part], { cwd: PROJECT_ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    if (part !== LONGEST && child.pid !== undefined) makeLessUrgent(child.pid);
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
// One more than there are processors: the tests wait now and then.
await Promise.all(Array.from({ length: Math.min(availableParallelism() + 1, 3) }, work));
process.exitCode = Math.max(...codes);
