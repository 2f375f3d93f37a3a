/** Questions as requests of the server, on a connection of an older revision that carries them. */
import { ProtocolError, type ServerContext, type StandardSchemaV1 } from '@modelcontextprotocol/server';
import { relatedTask } from '../protocol/legacy-tasks.ts';
import { featureOf, type ClientFeatures } from '../protocol/input-feature.ts';
import type { AskClient, Question } from './follow-task.ts';

/** A person may take their time: it is the longest that a timer takes. */
const NO_TIMEOUT_MS = 2_147_483_647;

/** Whoever asked checks the response; a schema here would hide what was wrong with it. */
const anyResponse: StandardSchemaV1<unknown, unknown> = {
  '~standard': { version: 1, vendor: 'durable-mcp-tasks', validate: (value) => ({ value }) },
};

/** `undefined`: nothing can be asked, since every request has a connection of its own. */
export function createAskClient({ http, mcpReq }: ServerContext, features: ClientFeatures): AskClient | undefined {
  if (http !== undefined) return undefined;
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

function toRequest({ taskId, key, request }: Question): { method: string; params: Record<string, unknown> } {
  const { method, params } = request;
  // Spec: 2025-11-25, elicitation, URL mode: the id by which the client knows the page again.
  const page = featureOf(request) === 'elicitationUrl' ? { elicitationId: key } : {};
  return { method, params: { ...params, ...page, _meta: relatedTask(taskId) } };
}
