/**
 * Preloaded into every process that `npm start` starts: when the parent is gone, however it went, this process ends too.
 * The operating system closes the channel between the two even when the parent is killed with -9.
 */
import { spawn } from 'node:child_process';
import { isMainThread } from 'node:worker_threads';

const DRAIN_LIMIT_SECONDS = 6;

if (isMainThread && process.channel) {
  process.once('disconnect', () => {
    // The parent read our output; writing to it now must not be what ends the drain.
    process.stdout.on('error', () => undefined);
    process.stderr.on('error', () => undefined);
    // From outside: a process that hangs on its way out runs no timer any more.
    const limit = ['-c', `sleep ${DRAIN_LIMIT_SECONDS}; kill -9 ${process.pid}`];
    spawn('/bin/sh', limit, { detached: true, stdio: 'ignore' }).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // Watching the channel must not keep a process alive that has nothing else to do.
  process.channel.unref();
}
