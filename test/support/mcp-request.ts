/** A valid 2026-07-28 request, of which a test overrides exactly what it is about. */
import { PROTOCOL_VERSION, TASKS_EXTENSION } from '../../protocol/extension.ts';
import { patiently } from './patience.js';

export interface McpRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly id?: unknown;
  /** Default: the Tasks extension and form elicitation. */
  readonly capabilities?: unknown;
  /** Further members of `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** `undefined` leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent instead of the body that the fields above make. */
  readonly rawBody?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: RpcAnswer;
}

export interface RpcAnswer {
  readonly jsonrpc?: string;
  readonly id?: unknown;
  /** Read as if it were there: a test that is wrong about that fails. */
  readonly result: RpcResult;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly requiredCapabilities?: unknown; readonly supported?: unknown };
  };
}

/** The members of all results that tests read. */
export interface RpcResult {
  readonly resultType: string;
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly inputRequests: unknown;
  readonly requestState?: unknown;
  readonly result: RpcResult;
  readonly error: { readonly code: number; readonly message: string };
  readonly isError?: boolean;
  readonly content: readonly [{ readonly type: string; readonly text: string }];
  readonly structuredContent: { readonly task: unknown; readonly [member: string]: unknown };
  readonly tools: readonly { readonly name: string; readonly inputSchema: { readonly properties: object } }[];
  readonly resources: readonly { readonly uri: string; readonly name: string }[];
  readonly nextCursor?: string;
  readonly resourceTemplates: readonly unknown[];
  readonly contents: readonly unknown[];
  readonly _meta: unknown;
  readonly cacheScope: string;
  readonly ttlMs: number;
}

export const TASKS_AND_FORMS = { elicitation: { form: {} }, extensions: { [TASKS_EXTENSION]: {} } };

const NAME_PARAMS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

export function envelope(capabilities: unknown = TASKS_AND_FORMS): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
}

export function bodyOf({ method, params, id = 1, capabilities, meta }: McpRequest): string {
  const _meta = { ...envelope(capabilities), ...meta };
  return JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
}

export function headersOf({ method, params, headers }: McpRequest): Record<string, string> {
  const name = params?.[NAME_PARAMS[method] ?? ''];
  const all: Record<string, string | undefined> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': PROTOCOL_VERSION,
    'mcp-method': method,
    'mcp-name': typeof name === 'string' ? headerValue(name) : undefined,
    ...headers,
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** As they stand on the wire. */
export function headerLinesOf(request: McpRequest): string[] {
  return Object.entries(headersOf(request)).map(([name, value]) => `${name}: ${value}`);
}

export function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

/** As the specification encodes what a header cannot carry. */
export function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Posts with `fetch`. An answer as an event stream gives the last message that carries an id. */
export async function post(url: string, request: McpRequest): Promise<McpAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: headersOf(request),
    body: request.rawBody ?? bodyOf(request),
    signal: request.signal ?? AbortSignal.timeout(patiently(20_000)),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parseAnswer(text) };
}

function parseAnswer(text: string): RpcAnswer {
  if (!text.startsWith('{')) {
    const frames = text.split('\n').filter((line) => line.startsWith('data: '));
    const messages = frames.map((line) => JSON.parse(line.slice('data: '.length)) as RpcAnswer);
    return messages.findLast((message) => message.id !== undefined) ?? ({} as RpcAnswer);
  }
  return JSON.parse(text) as RpcAnswer;
}
