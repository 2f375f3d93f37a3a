/** The SDK's server, made to answer a call with a task. */
import {
  Server,
  specTypeSchemas,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import type { core } from 'zod';
import { describeIssues } from './argument-faults.ts';
import { isTaskResult } from './call-result.ts';
import { invalidParams, REQUEST_STATE_TEXT, toProtocolError } from './errors.ts';
import type { Log } from './log.ts';
import { SERVER_INFO } from './server-info.ts';
import { readTaskRequest } from './task-request.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/* oxlint-disable typescript/no-deprecated -- `Server` is the class with a hook for what `McpServer` cannot do */
/**
 * `Server` and not `McpServer`: the latter answers a missing capability as a tool error and a task as a malformed
 * result, and offers no hook to change that.
 */
export class TasksServer extends Server {
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
        if (method === 'initialize') checkInitialize(request.params);
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
/* oxlint-enable typescript/no-deprecated */

/** Before the base class looks, whose message would be a dump of its schema. */
function checkCallShape(params: Readonly<Record<string, unknown>> | undefined): void {
  if (typeof params?.['name'] !== 'string') throw invalidParams('params.name must be the name of a tool.');
  const args = params['arguments'];
  if (args === undefined || (typeof args === 'object' && args !== null && !Array.isArray(args))) return;
  throw invalidParams('params.arguments must be an object.');
}

/** Before the base class looks, whose error says nothing of whose fault it is. */
function checkInitialize(params: Readonly<Record<string, unknown>> = {}): void {
  const { issues } = specTypeSchemas.InitializeRequestParams['~standard'].validate(params);
  if (issues === undefined) return;
  // The SDK's schemas are those of zod, which says more in an issue than the standard asks for.
  const faults = new Set(describeIssues(issues as readonly core.$ZodIssue[], params).split('\n'));
  throw invalidParams(`The params of initialize do not fit: ${[...faults].join('; ')}.`);
}
