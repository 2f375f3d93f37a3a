/**
 * The SDK's transport over stdio, with what it leaves to us: `subscriptions/listen` for tasks, and knowing when every
 * request has its answer.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  PROTOCOL_VERSION_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { PROTOCOL_VERSION, TOO_MANY_SUBSCRIPTIONS } from '../protocol/extension.ts';
import { isJsonObject, ownMember } from '../protocol/own-member.ts';
import type { RpcError } from '../protocol/task.ts';
import { scopesText } from './auth/auth-refusals.ts';
import { ungrantedScopes } from './auth/message-scopes.ts';
import type { Caller } from './caller.ts';
import { toProtocolError } from './errors.ts';
import { namingVersions } from './handshake-error.ts';
import { asksForTasks, readListenFilter } from './listen-filter.ts';
import { openSubscription, type ListenParts } from './listen.ts';
import type { Limits } from './limits/limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { INVALID_REQUEST } from './refusal.ts';
import type { ToolContracts } from './tool-contract.ts';

export interface StdioTransportParts extends ListenParts {
  readonly caller: Caller;
  readonly contracts: ToolContracts;
  readonly limits: Limits;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** One is enough for a thousand tasks. */
const MAX_SUBSCRIPTIONS = 100;

export class StdioTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #inner: StdioServerTransport;
  readonly #parts: StdioTransportParts;
  readonly #subscriptions = new Map<RequestId, AbortController>();
  readonly #unanswered = new Set<RequestId>();
  #onIdle: () => void = () => undefined;
  readonly #initializing = new Set<RequestId>();
  #isLegacy = false;
  /** Until the message before has been passed on: a cancel never overtakes the request that it means. */
  #passed = Promise.resolve();

  constructor(inner: StdioServerTransport, parts: StdioTransportParts) {
    this.#inner = inner;
    this.#parts = parts;
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => {
      if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
      this.#passed = this.#passed
        .then(() => this.#receive(message))
        .catch((error: unknown) => this.onerror?.(error instanceof Error ? error : new Error(String(error))));
    };
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onclose = () => {
      for (const gone of this.#subscriptions.values()) gone.abort();
      this.#unanswered.clear();
      this.#onIdle();
      this.onclose?.();
    };
    await this.#inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    const isInitialize = isAnswer && message.id !== undefined && this.#initializing.delete(message.id);
    // One that is refused, as on a connection of the newer revision, leaves the connection what it was.
    this.#isLegacy ||= isInitialize && isJSONRPCResultResponse(message);
    const isRefused = isInitialize && isJSONRPCErrorResponse(message);
    try {
      await this.#inner.send(isRefused ? { ...message, error: namingVersions(message.error as RpcError) } : message);
    } finally {
      if (isAnswer && message.id !== undefined) this.#settle(message.id);
    }
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  /** Every request that came has its answer, or nobody is left to read it. */
  async answered(): Promise<void> {
    if (this.#unanswered.size === 0) return;
    await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  async #receive(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) {
      const { caller, contracts, limits } = this.#parts;
      const required = ungrantedScopes(caller, message, contracts);
      if (required !== undefined) {
        await this.#refuse(message.id, new ProtocolError(INVALID_REQUEST, scopesText(required)));
        return;
      }
      const over = await limits.refuse(caller, message);
      if (over !== undefined) {
        await this.#refuse(message.id, new ProtocolError(over.code, over.text));
        return;
      }
      if (message.method === 'initialize') this.#initializing.add(message.id);
      if (this.#isTaskSubscription(message)) {
        void this.#listen(message);
        return;
      }
    } else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = ownMember(message.params, 'requestId') as RequestId;
      const subscription = this.#subscriptions.get(id);
      subscription?.abort();
      this.#settle(id);
      if (subscription !== undefined) return;
    }
    this.onmessage?.(message);
  }

  /** What is not in order is left to the SDK, which says what is wrong in the same words as for any other request. */
  #isTaskSubscription({ method, params }: JSONRPCRequest): boolean {
    const meta = ownMember(params, '_meta');
    return (
      !this.#isLegacy &&
      asksForTasks(method, params) &&
      ownMember(meta, PROTOCOL_VERSION_META_KEY) === PROTOCOL_VERSION &&
      isJsonObject(ownMember(meta, CLIENT_CAPABILITIES_META_KEY))
    );
  }

  async #listen({ id, method, params }: JSONRPCRequest): Promise<void> {
    const gone = new AbortController();
    const uncount = this.#parts.metrics.countStream();
    try {
      const filter = readListenFilter(params);
      if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) {
        this.#parts.metrics.countRefusal('streams');
        throw tooMany();
      }
      this.#subscriptions.set(id, gone);
      const { caller } = this.#parts;
      const subscription = await openSubscription(this.#parts, { id, caller, filter, signal: gone.signal });
      await subscription.run((message) => this.send(message as JSONRPCMessage));
    } catch (error) {
      if (!gone.signal.aborted) await this.#refuse(id, toProtocolError(error, this.#parts.log, method));
    } finally {
      uncount();
      if (this.#subscriptions.get(id) === gone) this.#subscriptions.delete(id);
    }
  }

  async #refuse(id: RequestId, { code, message, data }: ProtocolError): Promise<void> {
    const error = { code, message, ...(data === undefined ? {} : { data }) };
    await this.send({ jsonrpc: '2.0', id, error }).catch((reason: unknown) => {
      this.#parts.log.debug({ err: reason }, 'nobody reads the answers any more');
    });
  }

  #settle(id: RequestId): void {
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#onIdle();
  }
}

function tooMany(): ProtocolError {
  const text = 'Too many subscriptions are open. Close one, or list more tasks in one, then try again.';
  return new ProtocolError(TOO_MANY_SUBSCRIPTIONS, text);
}
