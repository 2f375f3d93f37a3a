import type { McpRequest } from './mcp-request.ts';

/** A tool call of a client that can be asked and knows no tasks. */
export function plainCall(params: Readonly<Record<string, unknown>>): McpRequest {
  return { method: 'tools/call', params, capabilities: { elicitation: { form: {} } } };
}
