/** The subscriptions to tasks of one connection over stdio, which the SDK leaves to us. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import { PROTOCOL_VERSION, TOO_MANY_SUBSCRIPTIONS } from '../protocol/extension.ts';
import { isJsonObject, ownMember } from '../protocol/own-member.ts';
import { signedOutSignal } from './auth/signed-out.ts';
import type { StdioCaller } from './auth/stdio-caller.ts';
import { toProtocolError } from './errors.ts';
import { asksForTasks, readListenFilter } from './listen-filter.ts';
import { openSubscription, type ListenParts, type SendMessage } from './listen.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

export interface StdioListenParts extends ListenParts, StdioCaller {
  readonly log: Log;
  readonly metrics: Metrics;
}

/** One is enough for a thousand tasks. */
const MAX_SUBSCRIPTIONS = 100;

/** What is not in order is left to the SDK, which says what is wrong in the same words as for any other request. */
export function isTaskSubscription({ method, params }: JSONRPCRequest): boolean {
  const meta = ownMember(params, '_meta');
  return (
    asksForTasks(method, params) &&
    ownMember(meta, PROTOCOL_VERSION_META_KEY) === PROTOCOL_VERSION &&
    isJsonObject(ownMember(meta, CLIENT_CAPABILITIES_META_KEY))
  );
}

export class StdioSubscriptions {
  readonly #parts: StdioListenParts;
  /** Those that were cancelled count until they are over. */
  readonly #open = new Map<AbortController, RequestId>();

  constructor(parts: StdioListenParts) {
    this.#parts = parts;
  }

  /** Resolves at the end of the subscription, with what is to be answered when there was none. */
  async serve({ id, method, params }: JSONRPCRequest, send: SendMessage): Promise<ProtocolError | undefined> {
    const { caller, askKey, metrics, log } = this.#parts;
    const gone = new AbortController();
    const { signal } = gone;
    const uncount = metrics.countStream();
    try {
      const filter = readListenFilter(params);
      if (this.#open.size >= MAX_SUBSCRIPTIONS) {
        metrics.countRefusal('streams');
        throw tooMany();
      }
      this.#open.set(gone, id);
      const signedOut =
        askKey &&
        signedOutSignal({
          caller,
          isStillGood: async () => {
            const fault = await askKey();
            return fault === undefined || fault.kind === 'unavailable';
          },
          onceOver: (stop) => signal.addEventListener('abort', stop, { once: true }),
        });
      const subscription = await openSubscription(this.#parts, { id, caller, filter, signal, signedOut });
      await subscription.run(send);
      return undefined;
    } catch (error) {
      return signal.aborted ? undefined : toProtocolError(error, log, method);
    } finally {
      uncount();
      this.#open.delete(gone);
      gone.abort();
    }
  }

  /** `false`: there is none of that id. */
  cancel(id: unknown): boolean {
    for (const [gone, openId] of this.#open) {
      if (openId !== id || gone.signal.aborted) continue;
      gone.abort();
      return true;
    }
    return false;
  }

  /** Nobody is left to read them. */
  cancelAll(): void {
    for (const gone of this.#open.keys()) gone.abort();
  }
}

function tooMany(): ProtocolError {
  const text = 'Too many subscriptions are open. Close one, or list more tasks in one, then try again.';
  return new ProtocolError(TOO_MANY_SUBSCRIPTIONS, text);
}
