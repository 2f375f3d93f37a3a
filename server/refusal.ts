/** What the door answers by itself, before the MCP server sees anything. */
import type { ServerResponse } from 'node:http';

export interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  /** Echoed where the request's id could be read; otherwise left out. */
  readonly id?: string | number;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RefusalMessage {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
/** To older revisions alone, whose clients know it: the specification names no code there. */
export const SESSION_NOT_FOUND = -32001;
export const HEADER_MISMATCH = -32020;

export function refuse(status: number, code: number, message: string, more: Partial<Refusal> = {}): Refusal {
  return { ...more, status, code, message };
}

export function refusalBody(refusal: Refusal): string {
  return JSON.stringify(refusalMessage(refusal));
}

export function refusalMessage({ code, message, data, id }: Omit<Refusal, 'status' | 'headers'>): RefusalMessage {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error };
}

export function sendRefusal(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.status, { ...refusal.headers, 'content-type': 'application/json' });
  response.end(refusalBody(refusal));
}
