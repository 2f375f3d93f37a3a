/** Every kind of request to a caller, and what a usable response to it is. Pure: every door uses this one check. */
import { checkElicitReply } from './answer-check.ts';
import type { ElicitReply } from './form.ts';
import { isJsonObject } from './own-member.ts';
import { rootsFault, toRootsReply, type RootsReply } from './roots.ts';
import { samplingFault, toSamplingReply, type SamplingReply } from './sampling.ts';
import type { ElicitRequest, InputRequest, JsonObject, RootsRequest, SamplingRequest } from './task.ts';

export type InputReply = ElicitReply<JsonObject> | SamplingReply | RootsReply;

/** The reply that fits a request of type `R`. */
export type ReplyTo<R> =
  R extends ElicitRequest<infer Content>
    ? ElicitReply<unknown extends Content ? JsonObject : Content>
    : R extends SamplingRequest
      ? SamplingReply
      : R extends RootsRequest
        ? RootsReply
        : never;

export type CheckedInput =
  | { readonly ok: true; readonly reply: InputReply }
  | { readonly ok: false; readonly problem: string };

export function checkInputReply(request: InputRequest, response: unknown): CheckedInput {
  switch (request.method) {
    case 'elicitation/create':
      return checkElicitReply(request, response);
    case 'sampling/createMessage':
      return checkShape(response, samplingFault, toSamplingReply);
    case 'roots/list':
      return checkShape(response, rootsFault, toRootsReply);
  }
}

function checkShape(
  response: unknown,
  faultOf: (response: JsonObject) => string | undefined,
  toReply: (response: JsonObject) => InputReply,
): CheckedInput {
  const problem = isJsonObject(response) ? faultOf(response) : 'the answer must be an object';
  if (problem !== undefined) return { ok: false, problem };
  return { ok: true, reply: toReply(response as JsonObject) };
}
