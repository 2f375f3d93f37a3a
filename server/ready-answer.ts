/** An answer that is complete, as it is written to HTTP: in the very bytes that the SDK's transport would send. */
import { type ProtocolError, type Result, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import { MISSING_CAPABILITY } from '../protocol/extension.ts';
import { SERVER_INFO } from './server-info.ts';

export interface ReadyAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Or one of the web's. */
export function isReady(answer: Response | ReadyAnswer): answer is ReadyAnswer {
  return typeof answer.text === 'string';
}

type Id = string | number | undefined;

const JSON_HEADERS = { 'content-type': 'application/json' };
const META = { [SERVER_INFO_META_KEY]: SERVER_INFO };

/** `result`: with its `resultType` and without `_meta`. */
export function resultAnswer(id: Id, result: Result): ReadyAnswer {
  const message = { result: { ...result, _meta: META }, jsonrpc: '2.0', id };
  return { status: 200, headers: JSON_HEADERS, text: JSON.stringify(message) };
}

export function errorAnswer(id: Id, { code, message, data }: ProtocolError): ReadyAnswer {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  const text = JSON.stringify({ jsonrpc: '2.0', id, error });
  return { status: code === MISSING_CAPABILITY ? 400 : 200, headers: JSON_HEADERS, text };
}
