/**
 * An MCP client with the Tasks extension over one or more front servers. Whatever it sees of a task goes into its
 * journal, so that a step that no task may take fails the test at once.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { IDEMPOTENCY_KEY_META } from '../../protocol/extension.ts';
import type { DetailedTask, InputRequests, JsonObject, ToolResult } from '../../protocol/task.ts';
import { bearer, post, type McpRequest } from './mcp-request.ts';
import { createTaskJournal } from './task-journal.ts';
import { pauseAfter } from './eventually.ts';
import { patiently } from './patience.js';

/** A JSON-RPC error, as the client reads it. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface CallOptions {
  readonly idempotencyKey?: string;
  readonly capabilities?: unknown;
  readonly signal?: AbortSignal;
}

/** What `tools/call` answered: a handle, or a plain result. */
export type CallAnswer = { readonly taskId: string } | { readonly result: ToolResult };

export interface TaskClient {
  call(tool: string, args: object, options?: CallOptions): Promise<CallAnswer>;
  /** For calls that must become tasks. */
  create(tool: string, args: object, options?: CallOptions): Promise<string>;
  get(taskId: string): Promise<DetailedTask>;
  answer(taskId: string, responses: JsonObject): Promise<void>;
  /** Accepts the one open question with `content`. */
  accept(taskId: string, content: JsonObject): Promise<void>;
  cancel(taskId: string): Promise<void>;
  /** Polls until the task has one of `statuses`. @throws when the deadline is over */
  until(taskId: string, statuses: readonly DetailedTask['status'][], deadlineMs: number): Promise<DetailedTask>;
  request(request: McpRequest): Promise<Readonly<Record<string, unknown>>>;
  /** The same journal, over other fronts. */
  over(...origins: readonly string[]): TaskClient;
}

const SHORTEST_PAUSE_MS = 100;

/** Requests go to `origins` in turn. */
export function createTaskClient(...origins: readonly string[]): TaskClient {
  return clientOver(origins, createTaskJournal());
}

/** One that shows `token` with each request. */
export function createSignedInClient(token: string, ...origins: readonly string[]): TaskClient {
  return clientOver(origins, createTaskJournal(), bearer(token));
}

function clientOver(
  origins: readonly string[],
  journal: ReturnType<typeof createTaskJournal>,
  headers: McpRequest['headers'] = {},
): TaskClient {
  let turn = 0;
  /** @throws RpcFailure, or what `fetch` throws when the front is not there */
  async function request(message: McpRequest): Promise<Readonly<Record<string, unknown>>> {
    turn += 1;
    const url = `${origins[turn % origins.length] ?? ''}/mcp`;
    const { body } = await post(url, { ...message, headers: { ...headers, ...message.headers } });
    if (body.error !== undefined) throw new RpcFailure(body.error.code, body.error.message);
    return body.result as unknown as Readonly<Record<string, unknown>>;
  }

  async function call(tool: string, args: object, options: CallOptions = {}): Promise<CallAnswer> {
    const { idempotencyKey, ...rest } = options;
    const meta = idempotencyKey === undefined ? {} : { [IDEMPOTENCY_KEY_META]: idempotencyKey };
    const result = await request({ method: 'tools/call', params: { name: tool, arguments: args }, meta, ...rest });
    return result['resultType'] === 'task'
      ? { taskId: result['taskId'] as string }
      : { result: result as unknown as ToolResult };
  }

  async function get(taskId: string): Promise<DetailedTask> {
    const startedAt = performance.now();
    const { resultType: _, _meta: _server, ...task } = await request({ method: 'tasks/get', params: { taskId } });
    journal.record(task as unknown as DetailedTask, startedAt);
    return task as unknown as DetailedTask;
  }

  async function answer(taskId: string, inputResponses: JsonObject): Promise<void> {
    await request({ method: 'tasks/update', params: { taskId, inputResponses } });
  }

  return {
    request,
    call,
    get,
    answer,
    over: (...others) => clientOver(others, journal, headers),
    async create(tool, args, options) {
      const answered = await call(tool, args, options);
      if ('taskId' in answered) return answered.taskId;
      throw new Error(`The call did not become a task: ${JSON.stringify(answered.result)}`);
    },
    async accept(taskId, content) {
      const [key, ...others] = Object.keys(questionsOf(await get(taskId)));
      if (key === undefined || others.length > 0) throw new Error(`Task ${taskId} has not one open question.`);
      await answer(taskId, { [key]: { action: 'accept', content } });
    },
    async cancel(taskId) {
      await request({ method: 'tasks/cancel', params: { taskId } });
    },
    async until(taskId, statuses, deadlineMs) {
      const startedAt = performance.now();
      const endsAt = startedAt + patiently(deadlineMs);
      for (;;) {
        const task = await get(taskId);
        if (statuses.includes(task.status)) return task;
        if (performance.now() > endsAt) throw new Error(`Still not ${statuses.join(' or ')}: ${JSON.stringify(task)}`);
        await delay(pauseAfter(performance.now() - startedAt, SHORTEST_PAUSE_MS));
      }
    },
  };
}

/** The open questions of a task, by key. */
export function questionsOf(task: DetailedTask): InputRequests {
  return task.status === 'input_required' ? task.inputRequests : {};
}

/** The result of a task that has completed. @throws otherwise */
export function resultOf(task: DetailedTask): ToolResult {
  if (task.status !== 'completed') throw new Error(`Not completed: ${JSON.stringify(task)}`);
  return task.result;
}

/** The first text of a result. */
export function textOf({ content: [first] }: ToolResult): string {
  return first?.type === 'text' ? first.text : '';
}
