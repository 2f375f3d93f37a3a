/** A tool call and its answer, counted; and an answer that is there before the SDK's server is asked, on its way to it. */
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Metrics } from './metrics.ts';
import type { ToolAnswer, ToolCall, ToolCallParts } from './tool-call.ts';
import { callTool } from './tool-calls.ts';

export interface AnsweringParts extends ToolCallParts {
  readonly metrics: Pick<Metrics, 'countCall'>;
}

/** @throws ProtocolError, and what the store throws */
export async function answerCall(parts: AnsweringParts, call: ToolCall): Promise<ToolAnswer> {
  const count = parts.metrics.countCall(call.name);
  try {
    const answer = await callTool(parts, call);
    count(answer.kind === 'plain' && answer.result.isError === true ? 'error' : answer.kind);
    return answer;
  } catch (error) {
    count('error');
    throw error;
  }
}

/** For the SDK to check and to write: the call is not made again. */
export function withAnswer(authInfo: AuthInfo, answer: Promise<ToolAnswer>): AuthInfo {
  return { ...authInfo, extra: { ...authInfo.extra, answer } };
}

export function answerIn({ http }: ServerContext): Promise<ToolAnswer> | undefined {
  return http?.authInfo?.extra?.['answer'] as Promise<ToolAnswer> | undefined;
}
