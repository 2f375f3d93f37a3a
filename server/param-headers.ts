/**
 * `Mcp-Param-*`: where a tool's schema says `x-mcp-header`, the header must repeat the argument, for whoever routes by
 * headers. Spec: streamable-http, Server Behavior for Custom Headers: 400 and -32020.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { decodeHeader } from './header-text.ts';
import { HEADER_MISMATCH, refuse, type Refusal } from './refusal.ts';
import type { RpcMessage } from './rpc-message.ts';
import type { ParamHeader, ToolContracts } from './tool-contract.ts';

export function refuseParamHeaders(
  contracts: ToolContracts,
  message: RpcMessage,
  headers: IncomingHttpHeaders,
): Refusal | undefined {
  const { method, params, id } = message;
  // Older revisions know no such header.
  if (method !== 'tools/call' || valueAt(params, ['_meta', PROTOCOL_VERSION_META_KEY]) === undefined) return undefined;
  const name = params?.['name'];
  const declared = typeof name === 'string' ? (contracts.get(name)?.paramHeaders ?? []) : [];
  const bad = declared.find(
    (header) => !agrees(header, headers[header.name], valueAt(params?.['arguments'], header.path)),
  );
  if (bad === undefined) return undefined;
  const text = `Bad request: the header ${bad.name} and the argument ${bad.path.join('.')} disagree.`;
  return refuse(400, HEADER_MISMATCH, text, id === undefined ? {} : { id });
}

function agrees({ type }: ParamHeader, header: string | string[] | undefined, value: unknown): boolean {
  // What is no primitive violates the tool's schema, which has its own answer.
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return true;
  const text = typeof header === 'string' ? decodeHeader(header) : undefined;
  if (text === undefined) return false;
  const isNumeric = typeof value === 'number' && ['integer', 'number'].includes(type) && /^-?\d+(\.\d+)?$/.test(text);
  return isNumeric ? Number(text) === value : text === String(value);
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
