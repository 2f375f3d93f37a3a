/**
 * A tool's questions before its body begins, in rounds: which are open, and what the answers make of the arguments. Pure:
 * the front counts rounds with it before a task exists, and the task itself for a caller whose answers only a task can take.
 */
import { wordsOf } from './complaint.ts';
import type { ClientFeatures } from './input-feature.ts';
import type { InputReply } from './input-reply.ts';
import type { InputRequest, InputRequests, JsonObject } from './task.ts';

/** `AskFirst` of a tool, less the types of its own arguments and answers. */
export interface FirstQuestions {
  questions(
    input: Record<string, unknown>,
    client: ClientFeatures,
  ): Readonly<Record<string, InputRequest | undefined>> | undefined;
  merge(input: Record<string, unknown>, replies: FirstReplies): Record<string, unknown>;
}

/** Usable ones, by the names of their questions. */
export type FirstReplies = Readonly<Record<string, InputReply>>;

export interface FirstCall {
  readonly args: JsonObject;
  readonly client: ClientFeatures;
}

/** By the tool's own names. @throws what the tool's functions throw */
export function openQuestions(tool: FirstQuestions, { args, client }: FirstCall, replies: FirstReplies): InputRequests {
  const open = Object.entries(tool.questions(mergedArgs(tool, args, replies), client) ?? {});
  return Object.fromEntries(open.filter((entry): entry is [string, InputRequest] => entry[1] !== undefined));
}

/** @throws what the tool's functions throw */
export function mergedArgs(tool: FirstQuestions, args: JsonObject, replies: FirstReplies): JsonObject {
  if (Object.keys(replies).length === 0) return args;
  // Arguments and replies are JSON, and so is what a tool makes of them.
  return tool.merge(args, replies) as JsonObject;
}

/** A name is answered once: one that has its reply and is open all the same. */
export function stuckQuestion(open: InputRequests, replies: FirstReplies): InputRequest | undefined {
  return Object.entries(open).find(([name]) => Object.hasOwn(replies, name))?.[1];
}

/** What the caller is told who left a question without the answer that the tool needs. */
export function unansweredText(request: InputRequest): string {
  return `Nothing was started: "${wordsOf(request)}" was not answered as the tool needs it. Call the tool again.`;
}
