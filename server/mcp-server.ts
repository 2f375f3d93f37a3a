/**
 * The MCP server of one request, or of one connection over stdio. It keeps nothing: whatever a request needs comes with it
 * or from the store.
 *
 * Neighbours: tool-calls.ts decides what a call gets, tasks-extension.ts and legacy-tasks.ts answer for tasks, each in the
 * words of its revision, resources.ts for files.
 */
import {
  type McpRequestContext,
  type McpServerFactory,
  type Result,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import { IDEMPOTENCY_KEY_META, TASKS_EXTENSION } from '../protocol/extension.ts';
import { LEGACY_TASKS_CAPABILITY } from '../protocol/legacy-tasks.ts';
import type { BlobStore } from '../store/blobs.ts';
import { takesEventStream } from './accept-header.ts';
import type { AuditTrail } from './approvals/audit-trail.ts';
import { listedApprovalTools } from './approval-tools.ts';
import { answerCall, answerIn } from './answered-call.ts';
import { anyParams } from './any-params.ts';
import type { Caller } from './caller.ts';
import { createLegacyDialect, modernDialect, type CallDialect } from './call-dialect.ts';
import { toCallResult } from './call-result.ts';
import { readDeclared } from './declared.ts';
import { invalidParams } from './errors.ts';
import { listedFallbackTools } from './fallback-tools.ts';
import { readInputResponses } from './input-responses.ts';
import { createLegacyClient, type LegacyClientParts } from './legacy-client.ts';
import { addLegacyTasks } from './legacy-tasks.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { ResourceSource } from './resource-source.ts';
import { addResources } from './resources.ts';
import { addTasksExtension } from './tasks-extension.ts';
import { TasksServer } from './tasks-server.ts';
import type { ToolCall, ToolCallParts } from './tool-call.ts';
import { withTaskSupport, type ListedTool } from './tool-contract.ts';

export interface McpServerParts extends ToolCallParts, LegacyClientParts {
  readonly blobs: BlobStore;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly draining: AbortSignal;
  readonly resourceSource?: ResourceSource | undefined;
  readonly audit?: AuditTrail | undefined;
}

/** What all requests have in common. */
export type SharedParts = Omit<McpServerParts, 'caller'>;

const LIST_CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const;
const NO_CACHE = { ttlMs: 0, cacheScope: 'private' } as const;
const CACHE_HINTS: ServerOptions['cacheHints'] = {
  'server/discover': LIST_CACHE,
  'tools/list': LIST_CACHE,
  'resources/list': NO_CACHE,
  'resources/templates/list': LIST_CACHE,
  'resources/read': NO_CACHE,
};

export function createMcpServerFactory(
  shared: SharedParts,
  callerOf: (context: McpRequestContext) => Caller,
): McpServerFactory {
  const contracts = [...shared.contracts.values()];
  const tools = contracts.map((contract) => contract.listed);
  const legacyTools = contracts.map(withTaskSupport);
  return (context) => {
    const { era, requestInfo } = context;
    const parts = { ...shared, caller: callerOf(context) };
    return era === 'modern'
      ? createMcpServer(parts, tools, era)
      : createMcpServer(parts, legacyTools, era, requestInfo);
  };
}

function createMcpServer(
  parts: McpServerParts,
  tools: readonly ListedTool[],
  era: McpRequestContext['era'],
  request?: Request,
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
  const olderClient = isModern ? undefined : createLegacyClient(server, parts, request);
  const dialect = olderClient === undefined ? modernDialect : createLegacyDialect(olderClient);
  server.setRequestHandler('tools/list', anyParams, async ({ cursor }, context) => {
    if (cursor !== undefined) throw invalidParams('Unknown cursor. tools/list answers in one page.');
    const ofApprovals = await listedApprovalTools(parts);
    return { tools: [...tools, ...ofApprovals, ...(readDeclared(context).tasks ? [] : listedFallbackTools)] };
  });
  server.setRequestHandler('tools/call', anyParams, (params, context) => serveCall(parts, dialect, params, context));
  addResources(server, parts);
  if (olderClient === undefined) addTasksExtension(server, parts);
  else addLegacyTasks(server, parts, olderClient);
  return server;
}

async function serveCall(
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
    responses: readInputResponses(mcpReq) ?? {},
    ...progressOf(context),
    progressIntervalMs: parts.budgets.progressIntervalMs,
  };
  const answer = await (answerIn(context) ?? answerCall(parts, call));
  if (answer.kind === 'task') dialect.onTask(answer.task);
  return toCallResult(answer, call.isModern);
}

function progressOf({ mcpReq, http }: ServerContext): Pick<ToolCall, 'onProgress'> {
  const progressToken = mcpReq._meta?.progressToken;
  // With the first notification the answer becomes a stream: who takes none gets the answer alone.
  if (progressToken === undefined || !takesEventStream(http?.req?.headers.get('accept') ?? undefined)) return {};
  return {
    onProgress: async (progress, message) => {
      const params = { progressToken, progress, ...(message === undefined ? {} : { message }) };
      await mcpReq.notify({ method: 'notifications/progress', params });
    },
  };
}
