import type { McpRequest } from './mcp-request.ts';

/** What a client of MCP 2025-11-25 would send, with nothing checked on its side. */
export function olderRequest(method: string, params: object): McpRequest {
  return olderMessage({ id: 1, method, params });
}

/** Any message of its: `method` may be missing, or `id`. */
export function olderMessage(message: object, sessionId?: string): McpRequest {
  return {
    method: '',
    rawBody: JSON.stringify({ jsonrpc: '2.0', ...message }),
    headers: {
      'mcp-protocol-version': '2025-11-25',
      'mcp-method': undefined,
      'mcp-name': undefined,
      'mcp-session-id': sessionId,
    },
  };
}
