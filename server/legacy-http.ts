/**
 * What the revisions before 2026-07-28 have over HTTP beside a request and its answer: a session id, responses to what the
 * server asks, an answer that waits for a task without end, and a notification that a request is given up. Nothing is kept
 * for the first two, see session-ids.ts and http-questions.ts; the last finds what this front holds, while it holds it.
 *
 * Spec: 2025-11-25, streamable-http, Sending Messages to the Server and Session Management; Cancellation.
 */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { INTERNAL_ERROR } from '../protocol/extension.ts';
import { TASKS_RESULT } from '../protocol/legacy-tasks.ts';
import { ownMember } from '../protocol/own-member.ts';
import { isTerminal, type RpcError } from '../protocol/task.ts';
import type { Caller } from './caller.ts';
import { featuresIn } from './declared.ts';
import { toProtocolError } from './errors.ts';
import { namingVersions } from './handshake-error.ts';
import type { HttpQuestions } from './http-questions.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { TOO_MANY_STREAMS, type OpenStreams } from './open-streams.ts';
import { onceGone } from './once-gone.ts';
import { INVALID_REQUEST, refuse, SESSION_NOT_FOUND, type Refusal } from './refusal.ts';
import type { RpcMessage } from './rpc-message.ts';
import type { SessionIds } from './session-ids.ts';
import { taskIdIn } from './task-id-in.ts';
import { TaskNotFound, type TaskStore } from './task-store.ts';

export interface LegacyHttpParts {
  readonly store: TaskStore;
  readonly sessionIds: SessionIds;
  readonly questions: HttpQuestions;
  readonly streams: OpenStreams;
  readonly metrics: Pick<Metrics, 'countRefusal'>;
  readonly log: Log;
}

export interface LegacyHttp {
  /** `undefined` for a session id that opens, for none, and where none is looked at: `initialize` and newer revisions. */
  refuseSession(caller: Caller, message: RpcMessage, headers: IncomingHttpHeaders): Refusal | undefined;
  /** `undefined`: the message waits for no task, or is counted as a stream until its `response` is over. */
  refuseWait(caller: Caller, message: RpcMessage, response: ServerResponse): Promise<Refusal | undefined>;
  /** The answer to `initialize`: with a session id where it succeeded, and with the versions that are served where not. */
  completeInitialize(caller: Caller, message: RpcMessage, answer: Response): Promise<Response>;
  /** `undefined`: the response is delivered, or came too late to change anything. */
  takeResponse(caller: Caller, response: object, headers: IncomingHttpHeaders): Promise<Refusal | undefined>;
  /** Aborts when the client says that it gives `message` up; `undefined`: it has no way to say of which request it speaks. */
  givenUp(caller: Caller, message: RpcMessage, response: ServerResponse): AbortSignal | undefined;
  /** Ends what `message` says is given up, if it is of the same session and held here. */
  giveUp(caller: Caller, message: RpcMessage, headers: IncomingHttpHeaders): void;
}

const SESSION_HEADER = 'mcp-session-id';

/** The words by which common clients know that they have to start over. */
const SESSION_TEXT = 'Session not found. Call initialize again, without a session id.';
const RESPONSE_TEXT = 'Invalid request: the response answers nothing that this server asks.';

export function createLegacyHttp(parts: LegacyHttpParts): LegacyHttp {
  const { store, sessionIds, questions, streams, metrics, log } = parts;

  function isUnknownSession(caller: Caller, headers: IncomingHttpHeaders): boolean {
    const id = headers[SESSION_HEADER];
    return id !== undefined && (typeof id !== 'string' || sessionIds.open(caller, id) === undefined);
  }

  async function hasEnded(caller: Caller, params: RpcMessage['params']): Promise<boolean> {
    try {
      return isTerminal((await store.get(caller, taskIdIn(params ?? {}))).status);
    } catch {
      return false;
    }
  }

  /** Clients of one caller number their requests alike: only a session tells them apart. */
  const held = new Map<string, AbortController>();
  function heldKey(caller: Caller, message: RpcMessage, headers: IncomingHttpHeaders, id: unknown): string | undefined {
    const session = headers[SESSION_HEADER];
    const isSession = session !== undefined && !isUnknownSession(caller, headers) && isLegacy(message, headers);
    return isSession ? JSON.stringify([session, id]) : undefined;
  }

  return {
    refuseSession(caller, message, headers) {
      if (message.method === 'initialize' || !isUnknownSession(caller, headers) || !isLegacy(message, headers))
        return undefined;
      const { id } = message;
      return refuse(404, SESSION_NOT_FOUND, SESSION_TEXT, id === undefined ? {} : { id });
    },

    async refuseWait(caller, { method, params, id }, response) {
      if (method !== TASKS_RESULT || streams.admit(caller, response)) return undefined;
      // That result is there at once: nobody is kept from it by those who wait.
      if (await hasEnded(caller, params)) return undefined;
      metrics.countRefusal('streams');
      return { ...TOO_MANY_STREAMS, ...(id === undefined ? {} : { id }) };
    },

    async completeInitialize(caller, { params }, answer) {
      const text = await answer.text();
      const headers = new Headers(answer.headers);
      const { status } = answer;
      const message = messageIn(text);
      const body: unknown = JSON.parse(message);
      const error = ownMember(body, 'error') as RpcError | undefined;
      if (error !== undefined) {
        const named = JSON.stringify({ ...(body as object), error: namingVersions(error) });
        return new Response(
          text.replace(message, () => named),
          { status, headers },
        );
      }
      const protocolVersion = ownMember(ownMember(body, 'result'), 'protocolVersion');
      if (typeof protocolVersion === 'string') {
        const features = featuresIn(ownMember(params, 'capabilities'));
        headers.set(SESSION_HEADER, sessionIds.seal(caller, { protocolVersion, features }));
      }
      return new Response(text, { status, headers });
    },

    async takeResponse(caller, response, headers) {
      if (isUnknownSession(caller, headers)) return refuse(404, SESSION_NOT_FOUND, SESSION_TEXT);
      const id = ownMember(response, 'id');
      const question = questions.named(caller, id);
      if (question === undefined) return refuse(400, INVALID_REQUEST, RESPONSE_TEXT);
      questions.answered(id as string);
      try {
        // An error answers nothing, and what fits nothing is asked again.
        await store.deliver(caller, question.taskId, { [question.key]: ownMember(response, 'result') ?? null });
      } catch (error) {
        if (error instanceof TaskNotFound) return refuse(400, INVALID_REQUEST, RESPONSE_TEXT);
        const { code, message } = toProtocolError(error, log, 'response');
        return refuse(code === INTERNAL_ERROR ? 503 : 400, code, message);
      }
      return undefined;
    },

    givenUp(caller, message, response) {
      const key = heldKey(caller, message, response.req.headers, message.id);
      if (key === undefined) return undefined;
      const control = new AbortController();
      held.set(key, control);
      onceGone(response, () => {
        if (held.get(key) === control) held.delete(key);
      });
      return control.signal;
    },

    giveUp(caller, message, headers) {
      const key = heldKey(caller, message, headers, ownMember(message.params, 'requestId'));
      if (key !== undefined) held.get(key)?.abort();
    },
  };
}

function isLegacy(message: RpcMessage, headers: IncomingHttpHeaders): boolean {
  const [version, method] = [headers['mcp-protocol-version'], headers['mcp-method']];
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body: message,
    ...(typeof version === 'string' ? { protocolVersionHeader: version } : {}),
    ...(typeof method === 'string' ? { mcpMethodHeader: method } : {}),
  });
  return route.kind === 'legacy';
}

/** The answer as the SDK's transport writes it: JSON, or one event. */
function messageIn(answer: string): string {
  return /^data: (.*)$/m.exec(answer)?.[1] ?? answer;
}
