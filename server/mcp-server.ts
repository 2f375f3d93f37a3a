/**
 * The MCP server of one request, or of one connection over stdio. It keeps nothing: whatever a request needs comes with it
 * or from the store.
 *
 * Neighbours: tool-calls.ts decides what a call gets, tasks-extension.ts and legacy-tasks.ts answer for tasks, each in the
 * words of its revision, resources.ts for files.
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
import { LEGACY_TASKS_CAPABILITY } from '../protocol/legacy-tasks.ts';
import type { BlobStore } from '../store/blobs.ts';
import { anyParams } from './any-params.ts';
import { createLegacyDialect, modernDialect, type CallDialect } from './call-dialect.ts';
import { isTaskResult, toCallResult } from './call-result.ts';
import { readDeclared } from './declared.ts';
import { invalidParams, REQUEST_STATE_TEXT, toProtocolError } from './errors.ts';
import { listedFallbackTools } from './fallback-tools.ts';
import { readInputResponses } from './input-responses.ts';
import { addLegacyTasks } from './legacy-tasks.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { ResourceSource } from './resource-source.ts';
import { addResources } from './resources.ts';
import { readTaskRequest } from './task-request.ts';
import { addTasksExtension } from './tasks-extension.ts';
import type { ToolCall, ToolCallParts } from './tool-call.ts';
import { callTool } from './tool-calls.ts';
import { withTaskSupport, type ListedTool } from './tool-contract.ts';

export interface McpServerParts extends ToolCallParts {
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly draining: AbortSignal;
  readonly resourceSource?: ResourceSource | undefined;
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
  const contracts = [...parts.contracts.values()];
  const tools = contracts.map((contract) => contract.listed);
  const legacyTools = contracts.map(withTaskSupport);
  return ({ era }) =>
    era === 'modern' ? createMcpServer(parts, tools, era) : createMcpServer(parts, legacyTools, era);
}

function createMcpServer(
  parts: McpServerParts,
  tools: readonly ListedTool[],
  era: McpRequestContext['era'],
): TasksServer {
  const isModern = era === 'modern';
  const server = new TasksServer(parts.log, isModern, {
    capabilities: {
      tools: {},
      resources: {},
      // Official clients take a server for one with tasks only if the value is exactly `{}`.
      ...(isModern ? { extensions: { [TASKS_EXTENSION]: {} } } : { tasks: LEGACY_TASKS_CAPABILITY }),
    },
    cacheHints: CACHE_HINTS,
  });
  const dialect = isModern ? modernDialect : createLegacyDialect(server, parts);
  server.setRequestHandler('tools/list', anyParams, ({ cursor }, context) => {
    if (cursor !== undefined) throw invalidParams('Unknown cursor. tools/list answers in one page.');
    return { tools: readDeclared(context).tasks ? [...tools] : [...tools, ...listedFallbackTools] };
  });
  server.setRequestHandler('tools/call', anyParams, (params, context) => answerCall(parts, dialect, params, context));
  addResources(server, parts);
  if (isModern) addTasksExtension(server, parts);
  else addLegacyTasks(server, parts);
  return server;
}

async function answerCall(
  parts: McpServerParts,
  dialect: CallDialect,
  params: Readonly<Record<string, unknown>>,
  context: ServerContext,
): Promise<Result> {
  const { mcpReq, http } = context;
  const call: ToolCall = {
    name: params['name'],
    args: params['arguments'],
    ...dialect.read(params, context),
    keys: {
      meta: mcpReq._meta?.[IDEMPOTENCY_KEY_META],
      header: http?.req?.headers.get('idempotency-key') ?? undefined,
    },
    signal: mcpReq.signal,
    draining: parts.draining,
    requestState: mcpReq.requestState(),
    responses: readInputResponses(context) ?? {},
    ...progressOf(context),
    progressIntervalMs: parts.budgets.progressIntervalMs,
  };
  const count = parts.metrics.countCall(call.name);
  try {
    const answer = await callTool(parts, call);
    count(answer.kind === 'plain' && answer.result.isError === true ? 'error' : answer.kind);
    if (answer.kind === 'task') dialect.onTask(answer.task, context);
    return toCallResult(answer, call.isModern);
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

/* eslint-disable @typescript-eslint/no-deprecated -- `Server` is the class with a hook for what `McpServer` cannot do */
/**
 * `Server` and not `McpServer`: the latter answers a missing capability as a tool error and a task as a malformed
 * result, and offers no hook to change that.
 */
class TasksServer extends Server {
  readonly #log: Log;
  readonly #isModern: boolean;

  constructor(log: Log, isModern: boolean, options: ServerOptions) {
    super(SERVER_INFO, options);
    this.#log = log;
    this.#isModern = isModern;
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
      if (!this.#isModern) readTaskRequest(request.params?.['task']);
      const state: unknown = context.mcpReq.requestState();
      if (state !== undefined && typeof state !== 'string') throw invalidParams(REQUEST_STATE_TEXT);
      const seen: { isAnswer?: boolean; task?: Result } = {};
      const wrapped = super._wrapHandler('tools/call', async (inner, innerContext) => {
        seen.isAnswer = false;
        const result = await handler(inner, innerContext);
        seen.isAnswer = true;
        if (!isTaskResult(result)) return result;
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
