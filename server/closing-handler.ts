/** The MCP handler, with a clear answer for requests that it is closed under or that come too late. */
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { INTERNAL_ERROR } from '../protocol/extension.ts';
import { ownMember } from '../protocol/own-member.ts';
import type { ReadyAnswer } from './ready-answer.ts';
import { refusalBody, refuse } from './refusal.ts';

/** By itself the SDK answers a request that it is closed under with this status and nothing, and throws at a later one. */
const CLOSED_UNDER = 499;
const STOPPING_TEXT =
  'The server is stopping. Connect again and repeat the request; a tool call with the same idempotency key, if it has one.';

export function createClosingHandler(handler: McpHttpHandler): McpHttpHandler {
  let isClosed = false;
  return {
    ...handler,
    async fetch(request, options) {
      if (isClosed) return stopping(options?.parsedBody);
      const answer = await handler.fetch(request, options);
      return answer.status === CLOSED_UNDER ? stopping(options?.parsedBody) : answer;
    },
    close() {
      isClosed = true;
      return handler.close();
    },
  };
}

function stopping(message: unknown): Response {
  const { status, headers, text } = stoppingAnswer(message);
  return new Response(text, { status, headers });
}

/** `message`: as it came in, whatever that is. */
export function stoppingAnswer(message: unknown): ReadyAnswer {
  const id = ownMember(message, 'id');
  const isId = typeof id === 'string' || typeof id === 'number';
  const refusal = refuse(503, INTERNAL_ERROR, STOPPING_TEXT, isId ? { id } : {});
  return {
    status: refusal.status,
    headers: { 'content-type': 'application/json', 'retry-after': '1' },
    text: refusalBody(refusal),
  };
}
