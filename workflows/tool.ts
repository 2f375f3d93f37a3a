/**
 * What a tool is, and all that its body may do.
 *
 * Zod is imported as a type only: the schema is a function of zod, so that the workflow bundle stays without it.
 */
import { ApplicationFailure } from '@temporalio/common';
import type { z as zod } from 'zod';
import type { TakenFile } from '../protocol/act.ts';
import { PROTOCOL_FAILURE, TOOL_FAILURE } from '../protocol/task-failure.ts';
import type { ApprovalOutcome, ApprovalRequest } from '../protocol/approval-request.ts';
import type { Answer, ElicitReply, Form } from '../protocol/form.ts';
import type { ClientFeatures, InputFeature } from '../protocol/input-feature.ts';
import type { ReplyTo } from '../protocol/input-reply.ts';
import type { SamplingParams, SamplingReply } from '../protocol/sampling.ts';
import { firstNonJsonPath } from '../protocol/json-value.ts';
import type { ContentBlock, InputRequest, JsonObject, RpcError, ToolResult } from '../protocol/task.ts';
import type { NoContent } from '../protocol/url-elicitation.ts';

export type Zod = typeof zod;
type ObjectSchema = zod.ZodObject;

/** What a client must declare before it may call a tool. `elicitation` is the form mode. */
export type ClientFeature = 'elicitation' | Exclude<InputFeature, 'elicitationForm'>;

/** What a running body may do. Whatever waits is cancelled with the task: let the cancellation pass. */
export interface TaskContext {
  /** The MCP task id: the root of every idempotency key (`${task.id}:step`). */
  readonly id: string;
  /** Hash of who called; never a name. */
  readonly caller: string;
  /** A cancel was requested, or the deadline has passed. */
  readonly cancelled: boolean;
  /**
   * Puts a form to the caller and waits, for weeks if need be. An answer that does not fit is asked again a few times.
   * @throws ToolFailure naming the fields as arguments when the caller cannot elicit, or after too many misfits
   */
  elicit<F extends Form>(message: string, form: F): Promise<ElicitReply<Answer<F>>>;
  /**
   * Asks a person to open a page, for what must not pass through the client. `accept` means that the person agreed, not
   * that anything was done there: the page's own server tells.
   * @throws ToolFailure when the caller's client cannot open pages
   */
  elicitUrl(message: string, url: string): Promise<ElicitReply<NoContent>>;
  /** Has the caller's model complete `params.messages`. @throws ToolFailure when the caller's client cannot sample */
  sample(params: SamplingParams): Promise<SamplingReply>;
  /** Puts several requests at once; resolves when all are answered, in whatever order. @throws ToolFailure as above */
  ask<R extends Readonly<Record<string, InputRequest>>>(
    requests: R,
  ): Promise<{ readonly [K in keyof R]: ReplyTo<R[K]> }>;
  /**
   * Has somebody other than the caller decide, in the inbox, and waits. The task stays `working`; its status message says who
   * is waited for. A time-out is a result. @throws Error for a request that nobody could decide
   */
  approval(request: ApprovalRequest): Promise<ApprovalOutcome>;
  /** Says in one line what is going on: the status message of `tasks/get`. At most one write a second reaches a reader. */
  report(message: string): void;
  /** Facts about this run for the Temporal UI, such as vendor and total. Later calls add and replace. */
  describe(facts: Readonly<Record<string, string>>): void;
  /** Runs one step under `words`: the status message while it runs, a line in the Temporal UI when it is done. */
  step<T>(words: string, run: () => Promise<T>): Promise<T>;
  /**
   * A step with an effect outside. It is never torn down half-way: a cancel waits until the outcome is known, and then
   * `undo` takes the effect back. `undo` also runs, newest effect first, when a later step does not complete.
   * `referenceOf`: under which name the outside system knows the effect; the audit keeps it.
   */
  effect<T>(
    words: string,
    run: () => Promise<T>,
    undo: (outcome: T) => Promise<void>,
    referenceOf?: (outcome: T) => string | undefined,
  ): Promise<T>;
  /** Tells the audit which of the caller's uploads the task works on: they are gone one day, and their digests stay. */
  took(files: readonly TakenFile[]): void;
  /** Moves the deadline, never beyond the tool's `maxTtlMs`. @returns where it is now, in epoch ms */
  extend(byMs: number): number;
  /** Ends this run and goes on with fresh history and other arguments; id, deadline and questions asked stay. */
  continueAs(args: JsonObject): Promise<never>;
}

export type Questions = Readonly<Record<string, InputRequest | undefined>>;
type NamesOf<Q> = Q extends unknown ? keyof Q : never;
type RequestNamed<Q, K extends PropertyKey> = Q extends unknown ? (K extends keyof Q ? Q[K] : never) : never;
/** By the names of all questions that `Q`, perhaps a union, may hold. */
export type RepliesTo<Q> = { readonly [K in NamesOf<Q>]?: ReplyTo<NonNullable<RequestNamed<Q, K>>> };

/**
 * Questions before a task exists, put in as many rounds as it takes: the body gets the arguments that a caller who cannot
 * be asked would have passed. Both functions are pure, and run again in every round; they run in the front and, for a caller
 * whose answers only a task can take, in the workflow of the task.
 */
export interface AskFirst<Input, Q extends Questions = Questions> {
  /**
   * What has to be asked, by names of the tool's own; nothing when the arguments are complete. `client` says what this
   * caller can answer. A name is answered once: when `merge` leaves it open, the call ends.
   */
  questions(input: Input, client: ClientFeatures): Q | undefined;
  /** The arguments with the replies in them; each reply fits its request. @throws ToolFailure to end the call */
  merge(input: Input, replies: RepliesTo<Q>): Input;
}

/** What every tool says of itself. */
export interface ToolBase<S extends ObjectSchema = ObjectSchema, Q extends Questions = Questions> {
  /** Also the workflow type: a public contract that histories carry. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: (z: Zod) => S;
  readonly output?: (z: Zod) => ObjectSchema;
  /** OAuth scopes that a caller needs for this tool, beside `tasks:write`. Default none. */
  readonly scopes?: readonly string[];
  /** Questions that are settled before anything starts, when the caller can answer them. */
  readonly askFirst?: AskFirst<zod.output<S>, Q>;
}

/** A tool whose calls are workflows. */
export interface TaskTool<S extends ObjectSchema = ObjectSchema, Q extends Questions = Questions> extends ToolBase<
  S,
  Q
> {
  /** `required`: a caller without the extension is refused. `optional`: the call is held for such a caller. */
  readonly task: 'optional' | 'required';
  /** Default 24 h. */
  readonly ttlMs?: number;
  /** Upper end of `extend`. Default 30 days. */
  readonly maxTtlMs?: number;
  /** Default 1,000. */
  readonly pollIntervalMs?: number;
  /** How long a call waits for a plain answer. Default 1,000 for `optional`, 0 for `required`. */
  readonly syncBudgetMs?: number | ((input: zod.output<S>) => number);
  /** The tool acts on the world: it takes an `idempotencyKey` argument. */
  readonly hasEffects?: boolean;
  readonly requires?: readonly ClientFeature[];
  /** One line for the Temporal UI, up to 200 bytes; no personal data. */
  readonly summary?: (input: zod.output<S>) => string;
  run(input: zod.output<S>, task: TaskContext): Promise<ToolResult>;
}

/** A tool that answers at once, from the front server. */
export interface InstantTool<S extends ObjectSchema = ObjectSchema, Q extends Questions = Questions> extends ToolBase<
  S,
  Q
> {
  readonly task: 'never';
  run(input: zod.output<S>): Promise<ToolResult>;
}

export type Tool = TaskTool | InstantTool;
export type Catalog = ReadonlyMap<string, Tool>;

export function defineTool<S extends ObjectSchema, Q extends Questions>(tool: TaskTool<S, Q>): TaskTool;
export function defineTool<S extends ObjectSchema, Q extends Questions>(tool: InstantTool<S, Q>): InstantTool;
export function defineTool(tool: unknown): unknown {
  return tool;
}

/** @throws when two tools share a name */
export function createCatalog(tools: readonly Tool[]): Catalog {
  const catalog = new Map<string, Tool>();
  for (const tool of tools) {
    if (catalog.has(tool.name)) throw new Error(`Two tools are named ${tool.name}.`);
    catalog.set(tool.name, tool);
  }
  return catalog;
}

interface ResultParts {
  /** Repeated as a text block, as the specification wants. */
  readonly structured?: JsonObject;
  readonly links?: readonly ContentBlock[];
}

export function toolResult(text: string, parts: ResultParts = {}): ToolResult {
  const { structured, links = [] } = parts;
  const blocks: ContentBlock[] = [{ type: 'text', text }];
  // What JSON cannot carry is refused when the tool ends; here it would throw out of the body.
  if (structured !== undefined && firstNonJsonPath(structured) === undefined) {
    blocks.push({ type: 'text', text: JSON.stringify(structured) });
  }
  return { content: [...blocks, ...links], ...(structured === undefined ? {} : { structuredContent: structured }) };
}

/** A business "no": the task is `completed` with `isError`. */
export function toolError(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Thrown, it ends the task as `toolError(message)` does. Not retried. */
export function toolFailure(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, TOOL_FAILURE);
}

/** Thrown, it ends the task `failed` with this JSON-RPC error. Not retried. */
export function protocolFailure(error: RpcError): ApplicationFailure {
  return ApplicationFailure.nonRetryable(error.message, PROTOCOL_FAILURE, error);
}
