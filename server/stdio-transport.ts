/**
 * The SDK's transport over stdio, with what it leaves to us: `subscriptions/listen` for tasks, and knowing when every
 * request has its answer.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { ownMember } from '../protocol/own-member.ts';
import type { RpcError } from '../protocol/task.ts';
import { refuseSignIn, scopesText } from './auth/auth-refusals.ts';
import { ungrantedScopes } from './auth/message-scopes.ts';
import { namingVersions } from './handshake-error.ts';
import type { Limits } from './limits/limits.ts';
import type { OutputTurns } from './output-turns.ts';
import { INVALID_REQUEST, type Refusal } from './refusal.ts';
import { isTaskSubscription, StdioSubscriptions, type StdioListenParts } from './stdio-subscriptions.ts';
import type { ToolContracts } from './tool-contract.ts';

export interface StdioTransportParts extends StdioListenParts {
  readonly contracts: ToolContracts;
  readonly limits: Limits;
  readonly turns: OutputTurns;
}

type TransportRefusal = Pick<Refusal, 'code' | 'message' | 'data'>;

export class StdioTransport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #inner: StdioServerTransport;
  readonly #parts: StdioTransportParts;
  readonly #subscriptions: StdioSubscriptions;
  readonly #unanswered = new Set<RequestId>();
  #onIdle: () => void = () => undefined;
  readonly #initializing = new Set<RequestId>();
  #isLegacy = false;
  /** Until the message before has been passed on: a cancel never overtakes the request that it means. */
  #passed = Promise.resolve();

  constructor(inner: StdioServerTransport, parts: StdioTransportParts) {
    this.#inner = inner;
    this.#parts = parts;
    this.#subscriptions = new StdioSubscriptions(parts);
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => {
      this.#passed = this.#passed
        .then(() => this.#receive(message))
        .catch((error: unknown) => this.onerror?.(error instanceof Error ? error : new Error(String(error))));
    };
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onclose = () => {
      this.#subscriptions.cancelAll();
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
      const sent = isRefused ? { ...message, error: namingVersions(message.error as RpcError) } : message;
      // It becomes text no sooner than its turn comes.
      await this.#parts.turns.take(() => this.#inner.send(sent));
    } finally {
      if (isAnswer && message.id !== undefined) this.#settle(message.id);
    }
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  /** Every request that came has its answer, or nobody is left to read it. */
  async answered(): Promise<void> {
    await this.#passed;
    if (this.#unanswered.size === 0) return;
    await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  async #receive(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) {
      const { id } = message;
      // Under the id itself it would read as the answer to the request that is open.
      if (this.#unanswered.has(id)) {
        await this.#refuse(undefined, { code: INVALID_REQUEST, message: inUseText(id) });
        return;
      }
      this.#unanswered.add(id);
      const refusal = await this.#refusalOf(message);
      if (refusal !== undefined) {
        await this.#refuse(id, refusal);
        return;
      }
      if (message.method === 'initialize') this.#initializing.add(id);
      if (!this.#isLegacy && isTaskSubscription(message)) {
        void this.#listen(message);
        return;
      }
    } else if (!isJSONRPCNotification(message)) {
      // An answer to what the server asked: nobody could be told why it is not taken.
      if ((await this.#parts.askKey?.()) !== undefined) return;
    } else if (message.method === 'notifications/cancelled') {
      const id = ownMember(message.params, 'requestId') as RequestId;
      const isSubscription = this.#subscriptions.cancel(id);
      this.#settle(id);
      if (isSubscription) return;
    }
    this.onmessage?.(message);
  }

  async #refusalOf(message: JSONRPCRequest): Promise<TransportRefusal | undefined> {
    const { caller, askKey, contracts, limits, metrics } = this.#parts;
    const fault = await askKey?.();
    if (fault !== undefined) {
      metrics.countSignInFailure(fault.kind);
      return refuseSignIn(fault, undefined);
    }
    const required = ungrantedScopes(caller, message, contracts);
    if (required !== undefined) return { code: INVALID_REQUEST, message: scopesText(required) };
    const over = await limits.refuse(caller, message);
    return over && { code: over.code, message: over.text };
  }

  async #listen(request: JSONRPCRequest): Promise<void> {
    const refusal = await this.#subscriptions.serve(request, (message) => this.send(message as JSONRPCMessage));
    if (refusal !== undefined) await this.#refuse(request.id, refusal);
  }

  async #refuse(id: RequestId | undefined, { code, message, data }: TransportRefusal): Promise<void> {
    const error = { code, message, ...(data === undefined ? {} : { data }) };
    await this.send({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error }).catch((reason: unknown) => {
      this.#parts.log.debug({ err: reason }, 'nobody reads the answers any more');
    });
  }

  #settle(id: RequestId): void {
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#onIdle();
  }
}

function inUseText(id: RequestId): string {
  return `The id ${JSON.stringify(id)} is that of a request that is still open. Send this one under another id.`;
}
