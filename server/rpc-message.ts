/** One JSON-RPC message out of the text of a body or a line, or why not. Spec: streamable-http, Sending Messages. */
import { faultOfShape } from './body-shape.ts';
import { HEADER_MISMATCH, INVALID_REQUEST, PARSE_ERROR, refuse, type Refusal } from './refusal.ts';

export interface RpcMessage {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly id?: string | number;
  readonly params?: Record<string, unknown>;
}

type Parsed<T> = T | { readonly refusal: Refusal };

/** `response`: to what the server has asked, or says that it has. */
export function parseFrame(text: string): Parsed<{ readonly message: RpcMessage } | { readonly response: object }> {
  const parsed = parseBody(text);
  if ('refusal' in parsed) return parsed;
  const { body } = parsed;
  const isResponse = isObject(body) && body['method'] === undefined && ('result' in body || 'error' in body);
  const isTaken = isResponse && body['jsonrpc'] === '2.0' && !(mentionsProto(text) && hasProtoMember(body));
  return isTaken ? { response: body } : toMessage(body, text);
}

function parseBody(text: string): Parsed<{ readonly body: unknown }> {
  const fault = faultOfShape(text);
  if (fault !== undefined) return { refusal: refuse(400, INVALID_REQUEST, `The request ${fault}.`) };
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { refusal: refuse(400, PARSE_ERROR, 'Parse error: the body is not valid JSON.') };
  }
}

function toMessage(body: unknown, text: string): Parsed<{ readonly message: RpcMessage }> {
  const problem = problemOf(body, text);
  if (problem === undefined) return { message: withoutMalformedResponses(body as RpcMessage) };
  return { refusal: refuse(400, INVALID_REQUEST, `Invalid request: ${problem}.`, echoedId(body)) };
}

function problemOf(body: unknown, text: string): string | undefined {
  if (Array.isArray(body)) return 'batches are not served, send one message a POST';
  if (!isObject(body)) return 'the body must be a JSON-RPC object';
  if (body['jsonrpc'] !== '2.0') return 'jsonrpc must be "2.0"';
  const { method, id, params } = body;
  if (mentionsProto(text) && hasProtoMember(body)) return 'no member may be named __proto__';
  if (typeof method !== 'string') return 'method must be a string';
  if (params !== undefined && !isObject(params)) return 'params must be an object';
  if (!('id' in body)) {
    // Without an id nobody could be told what came of it, so nothing is done.
    return method.startsWith('notifications/') ? undefined : 'a request needs an id';
  }
  if (typeof id === 'string') return undefined;
  // An integer beyond 2^53 was rounded by the parser: its echo would be another id. RFC 8259, section 6.
  return Number.isSafeInteger(id) ? undefined : 'id must be a string or an integer of at most 53 bits';
}

function echoedId(body: unknown): Partial<Refusal> {
  const id = isObject(body) ? body['id'] : undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? { id } : {};
}

/**
 * The SDK passes `inputResponses` of a wrong shape on as if it were empty. Taken away, it is absent, and each method says
 * in its own turn what that means.
 */
function withoutMalformedResponses(message: RpcMessage): RpcMessage {
  const { params } = message;
  if (params === undefined || !('inputResponses' in params) || isObject(params['inputResponses'])) return message;
  const { inputResponses: _, ...others } = params;
  return { ...message, params: others };
}

/** A cheap look that spares nearly every body the walk; an escape may spell any name. */
function mentionsProto(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u');
}

function hasProtoMember(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasProtoMember);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, member]) => name === '__proto__' || hasProtoMember(member));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SINGLE_HEADER = /^(mcp-.*|idempotency-key)$/i;

/** A repeated header has two values, and who checks one may act on the other. */
export function refuseRepeatedHeaders(rawHeaders: readonly string[], message: RpcMessage): Refusal | undefined {
  const names = rawHeaders.filter((name, index) => index % 2 === 0 && SINGLE_HEADER.test(name));
  if (new Set(names.map((name) => name.toLowerCase())).size === names.length) return undefined;
  return refuse(400, HEADER_MISMATCH, 'Bad request: an Mcp-* or Idempotency-Key header is sent twice.', {
    ...(message.id === undefined ? {} : { id: message.id }),
  });
}
