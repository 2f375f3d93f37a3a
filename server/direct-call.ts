import type { IncomingHttpHeaders } from 'node:http';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { IDEMPOTENCY_KEY_META } from '../protocol/extension.ts';
import { isJsonObject as isObject, ownMember } from '../protocol/own-member.ts';
import { answerCall, withAnswer, type AnsweringParts } from './answered-call.ts';
import { toAuthInfo } from './auth/request-caller.ts';
import { toCallResult } from './call-result.ts';
import type { DirectAnswer } from './direct-answer.ts';
import { resultAnswer } from './ready-answer.ts';
import { declaredInOrder, isNameInOrder } from './request-order.ts';
import type { RpcMessage } from './rpc-message.ts';
import type { ToolCall } from './tool-call.ts';
import { toWebRequest } from './web-bridge.ts';

export interface DirectCallParts extends Omit<AnsweringParts, 'caller'> {
  readonly handler: McpHttpHandler;
  readonly draining: AbortSignal;
}

/** Others mean something to the SDK: an answer to a question, a state, a task of an older revision. */
const CALL_PARAMS = new Set(['name', 'arguments', '_meta']);

/**
 * A `tools/call` that may well be answered with a task; `undefined`: something else, or for the SDK. Whatever else comes of
 * the call goes through the SDK, which knows how a tool result and each error are written.
 */
export function directCall(
  parts: DirectCallParts,
  message: RpcMessage,
  headers: IncomingHttpHeaders,
): DirectAnswer | undefined {
  const { id, method, params = {} } = message;
  if (method !== 'tools/call') return undefined;
  const { name, arguments: args, _meta: meta } = params;
  const tool = typeof name === 'string' ? parts.contracts.get(name)?.tool : undefined;
  if (tool === undefined || tool.task === 'never' || !isNameInOrder(name, headers)) return undefined;
  if (args !== undefined && !isObject(args)) return undefined;
  const isBare = Object.keys(params).every((member) => CALL_PARAMS.has(member));
  // Who wants to hear of progress hears it from the SDK's stream.
  if (!isBare || ownMember(meta, 'progressToken') !== undefined) return undefined;
  const declared = declaredInOrder(message, headers);
  if (declared?.tasks !== true) return undefined;
  const { 'idempotency-key': header } = headers;
  const call: Omit<ToolCall, 'signal'> = {
    name,
    args,
    declared,
    isModern: true,
    isAskedFirst: true,
    keys: { meta: ownMember(meta, IDEMPOTENCY_KEY_META), header: typeof header === 'string' ? header : undefined },
    draining: parts.draining,
    responses: {},
    progressIntervalMs: parts.budgets.progressIntervalMs,
  };
  return async ({ request, response, caller }, gone) => {
    const answering = answerCall({ ...parts, caller }, { ...call, signal: gone() });
    const answer = await answering.catch(() => undefined);
    if (answer?.kind === 'task') return resultAnswer(id, toCallResult(answer, true));
    const authInfo = withAnswer(toAuthInfo(caller), answering);
    return parts.handler.fetch(toWebRequest(request, response), { parsedBody: message, authInfo });
  };
}
