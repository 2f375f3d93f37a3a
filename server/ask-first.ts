/**
 * A tool's questions before a task exists. Stateless: each round starts from the arguments, the usable replies of the rounds
 * before and what the client has just sent. Spec: multi round trip: missing answers are asked again, others ignored.
 */
import { MAX_ASKING_ROUNDS, uselessAnswersText, withComplaint } from '../protocol/complaint.ts';
import {
  mergedArgs,
  openQuestions,
  stuckQuestion,
  unansweredText,
  type FirstCall,
  type FirstQuestions,
  type FirstReplies,
} from '../protocol/first-questions.ts';
import { unaskable } from '../protocol/input-feature.ts';
import { checkInputReply, type InputReply } from '../protocol/input-reply.ts';
import { ownMember } from '../protocol/own-member.ts';
import type { InputRequest, InputRequests, JsonObject, ToolResult } from '../protocol/task.ts';
import { unaskableText } from '../protocol/unaskable-text.ts';
import { toolError } from '../workflows/tool.ts';
import type { RequestState } from './request-state.ts';

type Asking = Extract<RequestState, { kind: 'asking' }>;

export type Settled =
  | { readonly kind: 'ready'; readonly args: JsonObject }
  | { readonly kind: 'ask'; readonly requests: InputRequests; readonly state: Asking }
  | { readonly kind: 'refused'; readonly result: ToolResult };

export interface Round extends FirstCall {
  /** Of the rounds before this one. */
  readonly state: Asking | undefined;
  /** Keys are the names of the tool's questions. */
  readonly responses: Readonly<Record<string, unknown>>;
}

/** @throws what the tool's functions throw */
export function settleQuestions(tool: FirstQuestions, round: Round): Settled {
  const before = round.state?.replies ?? {};
  const { replies, problems } = takeAnswers(openQuestions(tool, round, before), round.responses, before);
  const open = openQuestions(tool, round, replies);
  if (Object.keys(open).length === 0) return { kind: 'ready', args: mergedArgs(tool, round.args, replies) };

  const stuck = stuckQuestion(open, replies);
  if (stuck !== undefined) return refused(unansweredText(stuck));
  const requests = Object.values(open);
  if (unaskable(requests, round.client).length > 0) return refused(unaskableText(requests, round.client));

  const [useless] = Object.entries(problems).filter(([name]) => Object.hasOwn(open, name));
  const uselessRounds = (round.state?.uselessRounds ?? 0) + (useless === undefined ? 0 : 1);
  if (useless !== undefined && uselessRounds >= MAX_ASKING_ROUNDS) {
    return refused(uselessAnswersText(open[useless[0]] as InputRequest, useless[1]));
  }
  const asked = Object.entries(open).map(([name, request]) => {
    const problem = problems[name];
    return [name, problem === undefined ? request : withComplaint(request, problem)] as const;
  });
  return { kind: 'ask', requests: Object.fromEntries(asked), state: { kind: 'asking', replies, uselessRounds } };
}

function takeAnswers(
  open: InputRequests,
  responses: Readonly<Record<string, unknown>>,
  before: FirstReplies,
): { readonly replies: FirstReplies; readonly problems: Readonly<Record<string, string>> } {
  const replies: Record<string, InputReply> = { ...before };
  const problems: Record<string, string> = {};
  for (const [name, request] of Object.entries(open)) {
    const response = ownMember(responses, name);
    if (response === undefined || Object.hasOwn(replies, name)) continue;
    const checked = checkInputReply(request, response);
    if (checked.ok) replies[name] = checked.reply;
    else problems[name] = checked.problem;
  }
  return { replies, problems };
}

function refused(text: string): Settled {
  return { kind: 'refused', result: toolError(text) };
}
