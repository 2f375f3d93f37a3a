/**
 * Preloaded into every process that `npm start` starts: when the parent is gone, however it went, this process ends too.
 * The operating system closes the channel between the two even when the parent is killed with -9.
 */
import { isMainThread } from 'node:worker_threads';

const DRAIN_LIMIT_MS = 8_000;

if (isMainThread && process.channel) {
  process.once('disconnect', () => {
    // The parent read our output; writing to it now must not be what ends the drain.
    process.stdout.on('error', () => undefined);
    process.stderr.on('error', () => undefined);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), DRAIN_LIMIT_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // Watching the channel must not keep a process alive that has nothing else to do.
  process.channel.unref();
}
