/**
 * Lets go of the context storages that a test file has used. Node 20 keeps each of them in one list of the process and walks
 * it for every promise, so that a worker of Jest gets slower with every file that it has run.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const used = new Set();

for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function enter(...args) {
    used.add(this);
    return original.apply(this, args);
  };
}

export function releaseContexts() {
  for (const storage of used) storage.disable();
  used.clear();
}
