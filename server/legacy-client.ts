/**
 * The client of an older revision: what it declared, and how it is reached. On a connection it declares once and is reached
 * at any time; over HTTP its session id says what it declared, and it is reached on the stream of a request that is held.
 */
import type { JSONRPCMessage, Server, ServerContext } from '@modelcontextprotocol/server';
import { NO_FEATURES } from '../protocol/input-feature.ts';
import type { DetailedTask } from '../protocol/task.ts';
import { askOnConnection, askOnStream } from './ask-client.ts';
import type { Declared } from './caller.ts';
import { declaredAtStart } from './declared.ts';
import type { AskClient } from './follow-task.ts';
import type { HttpQuestions } from './http-questions.ts';
import { createStatusNotifier, statusTeller, type StatusParts } from './legacy-status.ts';
import type { SessionIds } from './session-ids.ts';

export interface LegacyClient {
  declared(): Declared;
  /** `undefined`: it cannot be asked. */
  ask(context: ServerContext): AskClient | undefined;
  /** Whether it can be asked before there is a task that an answer could be delivered to. */
  readonly isAskedFirst: boolean;
  /** Told of each task that the client is given. */
  onTask(task: DetailedTask): void;
  /** To be told of each state of a task while the request of `context` is held; it passes each new status on. */
  statusOf(context: ServerContext): ((task: DetailedTask) => void) | undefined;
}

export interface LegacyClientParts extends StatusParts {
  readonly sessionIds: SessionIds;
  readonly questions: HttpQuestions;
}

/* oxlint-disable typescript/no-deprecated -- the low-level class is the one with the hooks for tasks */
/** `request`: of a client over HTTP. */
export function createLegacyClient(server: Server, parts: LegacyClientParts, request?: Request): LegacyClient {
  return request === undefined ? clientOnConnection(server, parts) : clientOfRequest(server, parts, request);
}

function clientOnConnection(server: Server, parts: LegacyClientParts): LegacyClient {
  return {
    declared: () => declaredAtStart(server),
    ask: (context) => askOnConnection(context, declaredAtStart(server)),
    isAskedFirst: true,
    onTask: createStatusNotifier(server, parts),
    statusOf: () => undefined,
  };
}

/** A session id that does not open does not come here: the door has refused its request. */
function clientOfRequest(server: Server, parts: LegacyClientParts, { headers }: Request): LegacyClient {
  const { caller, questions, sessionIds } = parts;
  const id = headers.get('mcp-session-id');
  const session = id === null ? undefined : sessionIds.open(caller, id);
  const features = session?.features ?? NO_FEATURES;
  return {
    declared: () => ({ ...features, tasks: false }),
    ask({ mcpReq }) {
      if (session === undefined) return undefined;
      const write = async (message: JSONRPCMessage): Promise<void> =>
        server.transport?.send(message, { relatedRequestId: mcpReq.id });
      return askOnStream({ questions, caller, features, write });
    },
    isAskedFirst: false,
    onTask: () => undefined,
    statusOf: ({ mcpReq }) => statusTeller(async (notification) => mcpReq.notify(notification)),
  };
}
/* oxlint-enable typescript/no-deprecated */
