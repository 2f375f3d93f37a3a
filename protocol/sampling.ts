/** A completion by the caller's own model. Spec: sampling, less tools, which are a capability of their own. */
import { isJsonObject, ownMember } from './own-member.ts';
import type { JsonObject, SamplingRequest } from './task.ts';

interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly content: { readonly type: 'text'; readonly text: string };
}

export interface SamplingParams {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

/** What the model said; one block, or several. */
export interface SamplingReply {
  readonly role: 'user' | 'assistant';
  readonly content: JsonObject | readonly JsonObject[];
  readonly model: string;
  readonly stopReason?: string;
}

export function sampling(params: SamplingParams): SamplingRequest {
  // A member that is undefined is no JSON: it is left out, as `JSON.stringify` would.
  const present = Object.entries(params).filter(([, value]) => value !== undefined);
  return { method: 'sampling/createMessage', params: Object.fromEntries(present) };
}

/** What is wrong with a response to `sampling/createMessage`; nothing when it can be used. */
export function samplingFault(response: JsonObject): string | undefined {
  const role = ownMember(response, 'role');
  if (role !== 'assistant' && role !== 'user') return 'role must be assistant or user';
  if (typeof ownMember(response, 'model') !== 'string') return 'model must be a string';
  const stopReason = ownMember(response, 'stopReason');
  if (stopReason !== undefined && typeof stopReason !== 'string') return 'stopReason must be a string';
  const content = ownMember(response, 'content');
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.length > 0 && blocks.every(isBlock) ? undefined : 'content must be a content block';
}

function isBlock(value: unknown): boolean {
  if (!isJsonObject(value) || typeof ownMember(value, 'type') !== 'string') return false;
  return value['type'] !== 'text' || typeof ownMember(value, 'text') === 'string';
}

/** The members that the specification knows. */
export function toSamplingReply(response: JsonObject): SamplingReply {
  const { role, content, model, stopReason } = response as unknown as SamplingReply;
  return { role, content, model, ...(stopReason === undefined ? {} : { stopReason }) };
}
