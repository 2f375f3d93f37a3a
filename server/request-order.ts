/**
 * Whether headers and envelope of a request are in order, for what is answered without the SDK's server. What is not is left
 * to the SDK, which says what is wrong in the same words as for any other request: nothing here may pass that it refuses.
 *
 * Spec: 2026-07-28, streamable-http, Request Headers; basic, Request Metadata.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { PROTOCOL_VERSION } from '../protocol/extension.ts';
import type { Declared } from './caller.ts';
import { declaredIn } from './declared.ts';
import { decodeHeader } from './header-text.ts';
import type { RpcMessage } from './rpc-message.ts';

/** A client sends the same envelope with each request, and the SDK's look at one costs more than all else that is checked. */
const ENVELOPES = 500;
const ENVELOPE_CHARS = 2_048;
const LASTING_MEMBERS = new Set([PROTOCOL_VERSION_META_KEY, CLIENT_INFO_META_KEY, CLIENT_CAPABILITIES_META_KEY]);
/** Beyond these the SDK takes a message for no request. */
const MESSAGE_MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);

/** By the text of an envelope that is in order. */
const inOrder = new LRUCache<string, Declared>({ max: ENVELOPES });

/** What the request's envelope declares; `undefined` when it, or a header that repeats it, is not in order. */
export function declaredInOrder(message: RpcMessage, headers: IncomingHttpHeaders): Declared | undefined {
  const { method, params } = message;
  if (headers['mcp-protocol-version'] !== PROTOCOL_VERSION || headers['mcp-method'] !== method) return undefined;
  if (!Object.keys(message).every((name) => MESSAGE_MEMBERS.has(name))) return undefined;
  const meta = params?.['_meta'];
  if (typeof meta !== 'object' || meta === null) return undefined;
  // What changes with each request would fill the cache with texts that never come again.
  const isLasting = Object.keys(meta).every((name) => LASTING_MEMBERS.has(name));
  const text = isLasting ? JSON.stringify(meta) : '';
  const known = inOrder.get(text);
  if (known !== undefined) return known;
  if (!isEnvelopeInOrder(message)) return undefined;
  const declared = declaredIn(meta);
  if (isLasting && text.length <= ENVELOPE_CHARS) inOrder.set(text, declared);
  return declared;
}

/** For methods whose header `Mcp-Name` repeats a parameter, whatever that is. */
export function isNameInOrder(value: unknown, { 'mcp-name': header }: IncomingHttpHeaders): boolean {
  // Without text there is nothing to repeat; what a header says then is for the SDK to judge.
  if (typeof value !== 'string') return header === undefined;
  if (typeof header !== 'string') return false;
  if (!header.startsWith('=?')) return header === value;
  // A marker that is not whole is read in more than one way.
  return /^=\?base64\?.*\?=$/.test(header) && decodeHeader(header) === value;
}

function isEnvelopeInOrder(message: RpcMessage): boolean {
  const route = classifyInboundRequest({ httpMethod: 'POST', body: message });
  return (
    route.kind === 'modern' && route.messageKind === 'request' && route.classification.revision === PROTOCOL_VERSION
  );
}
