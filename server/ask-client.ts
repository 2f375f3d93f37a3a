/** Questions as requests of the server, to a client of an older revision. */
import {
  ProtocolError,
  type JSONRPCMessage,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import { relatedTask } from '../protocol/legacy-tasks.ts';
import { featureOf, type ClientFeatures } from '../protocol/input-feature.ts';
import type { Caller } from './caller.ts';
import type { AskClient, Question } from './follow-task.ts';
import type { HttpQuestions } from './http-questions.ts';

/** A person may take their time: it is the longest that a timer takes. */
const NO_TIMEOUT_MS = 2_147_483_647;

/** Whoever asked checks the response; a schema here would hide what was wrong with it. */
const anyResponse: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'durable-mcp-tasks', validate: (value) => ({ value }) },
};

/** On a connection, which brings the response back. */
export function askOnConnection({ mcpReq }: ServerContext, features: ClientFeatures): AskClient {
  return {
    features,
    async put(question, signal) {
      try {
        return await mcpReq.send(toRequest(question), anyResponse, { timeout: NO_TIMEOUT_MS, signal });
      } catch (error) {
        if (error instanceof ProtocolError) return null;
        throw error;
      }
    },
  };
}

export interface HttpAsking {
  readonly questions: HttpQuestions;
  readonly caller: Caller;
  readonly features: ClientFeatures;
  /** Writes to the stream of the request that is held. */
  readonly write: (message: JSONRPCMessage) => Promise<void>;
}

/** On the stream of a held request. The response comes by another request, which delivers it: none is returned here. */
export function askOnStream({ questions, caller, features, write }: HttpAsking): AskClient {
  return {
    features,
    async put(question, signal) {
      const id = questions.begin(caller, question);
      try {
        await write({ jsonrpc: '2.0', id, ...toRequest(question) });
        await aborted(signal);
      } finally {
        const isOpen = questions.end(id);
        const withdrawal = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } } as const;
        if (isOpen && signal.aborted) await write(withdrawal);
      }
      return null;
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function toRequest({ taskId, key, request }: Question): { method: string; params: Record<string, unknown> } {
  const { method, params } = request;
  // Spec: 2025-11-25, elicitation, URL mode: the id by which the client knows the page again.
  const page = featureOf(request) === 'elicitationUrl' ? { elicitationId: key } : {};
  return { method, params: { ...params, ...page, _meta: relatedTask(taskId) } };
}
