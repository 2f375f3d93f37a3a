/**
 * The MCP server of one request. It keeps nothing: whatever a request needs comes with it or from the store.
 *
 * Neighbours: tool-calls.ts decides what a call gets, tasks-extension.ts answers for tasks, resources.ts for files.
 */
import {
  Server,
  type JSONRPCRequest,
  type McpRequestContext,
  type McpServerFactory,
  type Result,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { IDEMPOTENCY_KEY_META, TASKS_EXTENSION } from '../protocol/extension.ts';
import type { DetailedTask, ToolResult } from '../protocol/task.ts';
import type { BlobStore } from '../store/blobs.ts';
import { anyParams } from './any-params.ts';
import { readDeclared } from './declared.ts';
import { invalidParams, toProtocolError } from './errors.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { addResources } from './resources.ts';
import { addTasksExtension } from './tasks-extension.ts';
import { callTool, type ToolCall, type ToolCallParts } from './tool-calls.ts';
import type { ListedTool } from './tool-contract.ts';

export interface McpServerParts extends ToolCallParts {
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly draining: AbortSignal;
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

export const SERVER_INFO = { name: 'durable-mcp-tasks', title: 'Durable MCP Tasks', version: '0.1.0' };

const LIST_CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const;
const NO_CACHE = { ttlMs: 0, cacheScope: 'private' } as const;
const CACHE_HINTS: ServerOptions['cacheHints'] = {
  'server/discover': LIST_CACHE,
  'tools/list': LIST_CACHE,
  'resources/list': NO_CACHE,
  'resources/templates/list': LIST_CACHE,
  'resources/read': NO_CACHE,
};

export function createMcpServerFactory(parts: McpServerParts): McpServerFactory {
  const tools = [...parts.contracts.values()].map((contract) => contract.listed);
  return ({ era }) => createMcpServer(parts, tools, era);
}

function createMcpServer(
  parts: McpServerParts,
  tools: readonly ListedTool[],
  era: McpRequestContext['era'],
): TasksServer {
  const isModern = era === 'modern';
  const server = new TasksServer(parts.log, {
    // Official clients take a server for one with tasks only if the value is exactly `{}`.
    capabilities: { tools: {}, resources: {}, ...(isModern ? { extensions: { [TASKS_EXTENSION]: {} } } : {}) },
    cacheHints: CACHE_HINTS,
  });
  server.setRequestHandler('tools/list', anyParams, ({ cursor }) => {
    if (cursor !== undefined) throw invalidParams('Unknown cursor. tools/list answers in one page.');
    return { tools: [...tools] };
  });
  server.setRequestHandler('tools/call', anyParams, (params, context) => answerCall(parts, isModern, params, context));
  addResources(server, parts);
  if (isModern) addTasksExtension(server, parts);
  return server;
}

async function answerCall(
  parts: McpServerParts,
  isModern: boolean,
  params: Readonly<Record<string, unknown>>,
  context: ServerContext,
): Promise<Result> {
  const { mcpReq, http } = context;
  const call: ToolCall = {
    name: params['name'],
    args: params['arguments'],
    declared: readDeclared(context),
    isModern,
    keys: {
      meta: mcpReq._meta?.[IDEMPOTENCY_KEY_META],
      header: http?.req?.headers.get('idempotency-key') ?? undefined,
    },
    signal: mcpReq.signal,
    draining: parts.draining,
    ...progressOf(context),
  };
  const count = parts.metrics.countCall(call.name);
  try {
    const answer = await callTool(parts, call);
    count(answer.kind === 'plain' && answer.result.isError === true ? 'error' : answer.kind);
    return answer.kind === 'task' ? toCreateTaskResult(answer.task) : toPlainResult(answer.result, isModern);
  } catch (error) {
    count('error');
    throw error;
  }
}

function progressOf({ mcpReq }: ServerContext): Pick<ToolCall, 'onProgress'> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return {};
  return {
    onProgress: async (progress, message) => {
      const params = { progressToken, progress, ...(message === undefined ? {} : { message }) };
      await mcpReq.notify({ method: 'notifications/progress', params });
    },
  };
}

/** Spec: tasks.md, CreateTaskResult: flat, without content, result, inputRequests or requestState. */
function toCreateTaskResult(task: DetailedTask): Result {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return {
    resultType: 'task',
    taskId,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    pollIntervalMs,
  };
}

/** `resultType` is a word of the 2026-07-28 revision only. */
function toPlainResult(result: ToolResult & { resultType?: string }, isModern: boolean): Result {
  if (isModern) return { ...result };
  const { resultType: _, ...plain } = result;
  return plain;
}

/* eslint-disable @typescript-eslint/no-deprecated -- `Server` is the class with a hook for what `McpServer` cannot do */
/**
 * `Server` and not `McpServer`: the latter answers a missing capability as a tool error and a task as a malformed
 * result, and offers no hook to change that.
 */
class TasksServer extends Server {
  readonly #log: Log;

  constructor(log: Log, options: ServerOptions) {
    super(SERVER_INFO, options);
    this.#log = log;
    this.onerror = (error) => log.debug({ err: error }, 'request refused');
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = method === 'tools/call' ? this.#allowTask(handler) : super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        // A connection that is gone hears nothing, and that is no fault to log.
        if (context.mcpReq.signal.aborted) throw error;
        throw toProtocolError(error, this.#log, method);
      }
    };
  }

  /** The base class takes every answer for a tool result and adds `content`: a task passes beside it. */
  #allowTask(handler: Handler): Handler {
    return async (request, context) => {
      checkCallShape(request.params);
      const seen: { isAnswer?: boolean; task?: Result } = {};
      const wrapped = super._wrapHandler('tools/call', async (inner, innerContext) => {
        const result = await handler(inner, innerContext);
        seen.isAnswer = true;
        if (result['resultType'] !== 'task') return result;
        seen.task = result;
        return { content: [] };
      });
      try {
        const plain = await wrapped(request, context);
        return seen.task ?? plain;
      } catch (error) {
        if (seen.isAnswer === true) throw new Error('A tool returned what is not a tool result.', { cause: error });
        throw error;
      }
    };
  }
}
/* eslint-enable @typescript-eslint/no-deprecated */

/** Before the base class looks, whose message would be a dump of its schema. */
function checkCallShape(params: Readonly<Record<string, unknown>> | undefined): void {
  if (typeof params?.['name'] !== 'string') throw invalidParams('params.name must be the name of a tool.');
  const args = params['arguments'];
  if (args === undefined || (typeof args === 'object' && args !== null && !Array.isArray(args))) return;
  throw invalidParams('params.arguments must be an object.');
}
