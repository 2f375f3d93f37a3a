import type { Connection } from '@temporalio/client';

/**
 * The SDK hands deadline, signal and metadata of a call to gRPC through an `AsyncLocalStorage`. Its first use makes
 * Node 20 and 22 follow every promise of the process, about a tenth of the CPU time of a `tasks/get`. Here the context
 * is a variable that lasts as long as the synchronous part of `fn`, in which gRPC reads it.
 *
 * Whoever uses this connection calls the service before the first `await` of `fn`: a later call has no deadline.
 */
export function withSynchronousContext(connection: Connection): Connection {
  const { callContextStorage } = connection;
  type Context = ReturnType<typeof callContextStorage.getStore>;
  let current: Context;
  const run = <R>(context: Context, fn: () => R): R => {
    const outer = current;
    current = context;
    try {
      return fn();
    } finally {
      current = outer;
    }
  };
  Object.assign(callContextStorage, { getStore: () => current, run });
  // The SDK's own wait for a promise more each, and one of them is in each call.
  connection.withDeadline = (deadline, fn) => run({ ...current, deadline }, fn);
  connection.withMetadata = (metadata, fn) => run({ ...current, metadata: { ...current?.metadata, ...metadata } }, fn);
  return connection;
}
