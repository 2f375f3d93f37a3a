/**
 * A tool's questions before a task exists. Stateless: each round starts from the arguments, the usable replies of the rounds
 * before and what the client has just sent. Spec: multi round trip: missing answers are asked again, others ignored.
 */
import { MAX_ASKING_ROUNDS, uselessAnswersText, withComplaint, wordsOf } from '../protocol/complaint.ts';
import { unaskable, type ClientFeatures } from '../protocol/input-feature.ts';
import { checkInputReply, type InputReply } from '../protocol/input-reply.ts';
import { ownMember } from '../protocol/own-member.ts';
import type { InputRequest, InputRequests, JsonObject, ToolResult } from '../protocol/task.ts';
import { unaskableText } from '../protocol/unaskable-text.ts';
import { toolError, type AskFirst } from '../workflows/tool.ts';
import type { RequestState } from './request-state.ts';

type ToolQuestions = AskFirst<Record<string, unknown>>;
type Replies = Readonly<Record<string, InputReply>>;
type Asking = Extract<RequestState, { kind: 'asking' }>;

export type Settled =
  | { readonly kind: 'ready'; readonly args: JsonObject }
  | { readonly kind: 'ask'; readonly requests: InputRequests; readonly state: Asking }
  | { readonly kind: 'refused'; readonly result: ToolResult };

export interface Round {
  readonly args: JsonObject;
  readonly client: ClientFeatures;
  /** Of the rounds before this one. */
  readonly state: Asking | undefined;
  /** Keys are the names of the tool's questions. */
  readonly responses: Readonly<Record<string, unknown>>;
}

/** @throws what the tool's functions throw */
export function settleQuestions(tool: ToolQuestions, round: Round): Settled {
  const before = round.state?.replies ?? {};
  const { replies, problems } = takeAnswers(openQuestions(tool, round, before), round.responses, before);
  const open = openQuestions(tool, round, replies);
  const names = Object.keys(open);
  if (names.length === 0) return { kind: 'ready', args: merged(tool, round.args, replies) };

  const stuck = names.find((name) => Object.hasOwn(replies, name));
  if (stuck !== undefined) return refused(unansweredText(open[stuck] as InputRequest));
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
  before: Replies,
): { readonly replies: Replies; readonly problems: Readonly<Record<string, string>> } {
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

function openQuestions(tool: ToolQuestions, { args, client }: Round, replies: Replies): InputRequests {
  const open = Object.entries(tool.questions(merged(tool, args, replies), client) ?? {});
  return Object.fromEntries(open.filter((entry): entry is [string, InputRequest] => entry[1] !== undefined));
}

function merged(tool: ToolQuestions, args: JsonObject, replies: Replies): JsonObject {
  if (Object.keys(replies).length === 0) return args;
  // Arguments and replies are JSON, and so is what a tool makes of them.
  return tool.merge(args, replies) as JsonObject;
}

function unansweredText(request: InputRequest): string {
  return `Nothing was started: "${wordsOf(request)}" was not answered as the tool needs it. Call the tool again.`;
}
function refused(text: string): Settled {
  return { kind: 'refused', result: toolError(text) };
}
