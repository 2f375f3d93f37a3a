import type { ServerContext } from '@modelcontextprotocol/server';
import { invalidParams } from './errors.ts';

/** More answers than any task has questions; each would cost a look-up. */
const MAX_RESPONSE_COUNT = 1_000;

/** As the SDK sorts them. */
export type GivenResponses = Pick<ServerContext['mcpReq'], 'inputResponses' | 'droppedInputResponseKeys'>;

/**
 * The answers that a request brings, by key; `undefined` when it brings none. What the SDK dropped because it is no bare
 * response object is still an answer that the caller gave: it counts as `null`, fits nothing, and is asked again.
 * @throws ProtocolError when there are too many
 */
export function readInputResponses({
  inputResponses,
  droppedInputResponseKeys = [],
}: GivenResponses): Readonly<Record<string, unknown>> | undefined {
  if (inputResponses === undefined) return undefined;
  const responses = [...Object.entries(inputResponses), ...droppedInputResponseKeys.map((key) => [key, null] as const)];
  if (responses.length > MAX_RESPONSE_COUNT) {
    throw invalidParams(`params.inputResponses may hold at most ${MAX_RESPONSE_COUNT} answers.`);
  }
  return Object.fromEntries(responses);
}
