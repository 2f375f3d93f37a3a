import type { McpRequest } from './mcp-request.ts';

/** What a client of MCP 2025-11-25 would send, with nothing checked on its side. */
export function olderRequest(method: string, params: object): McpRequest {
  return {
    method,
    rawBody: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'mcp-protocol-version': '2025-11-25', 'mcp-method': undefined, 'mcp-name': undefined },
  };
}
