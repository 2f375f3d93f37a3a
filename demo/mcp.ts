/** MCP 2026-07-28 over Streamable HTTP, as much of it as this client needs: one POST a request, nothing remembered. */
import { randomUUID } from 'node:crypto';
import { PROTOCOL_VERSION, TASKS_EXTENSION } from '../protocol/extension.ts';
import type { JsonObject, RpcError } from '../protocol/task.ts';

const CLIENT_INFO = { name: 'durable-mcp-tasks-demo', version: '0.1.0' };
/** What this client can do, declared with each request. */
const CLIENT_CAPABILITIES = { elicitation: { form: {} }, extensions: { [TASKS_EXTENSION]: {} } };

export class McpError extends Error {
  readonly code: number;
  constructor({ code, message }: RpcError) {
    super(message);
    this.code = code;
  }
}

export interface McpServer {
  readonly url: string;
  /** An access token or an API key. */
  readonly apiKey?: string | undefined;
}

export function signedIn({ apiKey }: McpServer): Readonly<Record<string, string>> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

/** `name` goes into the header `Mcp-Name`: the tool, the task id or the resource. */
export async function callMcp<Result>(
  server: McpServer,
  method: string,
  params: Readonly<Record<string, unknown>>,
  name: string,
): Promise<Result> {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': PROTOCOL_VERSION,
      'mcp-method': method,
      'mcp-name': name,
      ...signedIn(server),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: randomUUID(),
      method,
      params: {
        ...params,
        _meta: {
          ...(params['_meta'] as JsonObject | undefined),
          'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
          'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
          'io.modelcontextprotocol/clientCapabilities': CLIENT_CAPABILITIES,
        },
      },
    }),
  });
  const answer = answerIn(await response.text(), response.headers.get('content-type') ?? '');
  if (answer.error !== undefined) throw new McpError(answer.error);
  return answer.result as Result;
}

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: RpcError;
}

/** The response is JSON, or the last message of a stream of events. */
function answerIn(text: string, contentType: string): RpcAnswer {
  if (!contentType.startsWith('text/event-stream')) return JSON.parse(text) as RpcAnswer;
  const messages = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice('data:'.length)) as RpcAnswer);
  const answer = messages.findLast((message) => message.result !== undefined || message.error !== undefined);
  if (answer === undefined) throw new Error('The server closed the stream without an answer.');
  return answer;
}
