/**
 * One request both ways: as it is answered without the SDK, and as the SDK answers it. No sockets; what a door would write is
 * compared.
 */
import { IncomingMessage, ServerResponse, type IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { requestCaller, toAuthInfo } from '../../server/auth/request-caller.ts';
import { createClosingHandler } from '../../server/closing-handler.ts';
import { createDirectAnswers } from '../../server/direct-answers.ts';
import { createMcpParts } from '../../server/mcp-parts.ts';
import { createMcpServerFactory } from '../../server/mcp-server.ts';
import type { Metrics } from '../../server/metrics.ts';
import { isReady, type ReadyAnswer } from '../../server/ready-answer.ts';
import { parseFrame, type RpcMessage } from '../../server/rpc-message.ts';
import { toWebRequest } from '../../server/web-bridge.ts';
import type { InMemoryTaskStore } from './in-memory-task-store.ts';
import { bodyOf, headersOf, type McpRequest } from './mcp-request.ts';
import { CALLER, createTestServing } from './test-front.ts';

/** As the door has read it. */
export interface SentRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly message: RpcMessage;
}

export type Written = readonly [status: number, headers: Readonly<Record<string, string>>, text: string];

export interface BothWays {
  readonly store: InMemoryTaskStore;
  readonly metrics: Metrics;
  /** Of a task that runs. */
  readonly taskId: string;
  /** `undefined`: it is left to the SDK. */
  directly(request: SentRequest): Promise<Written | undefined>;
  bySdk(request: SentRequest): Promise<Written>;
  /** Closes the direct way alone, or both. */
  closeDirect(): void;
  close(): Promise<void>;
}

export async function createBothWays(): Promise<BothWays> {
  const { store, parts } = createTestServing();
  const mcp = createMcpParts(parts, new AbortController().signal);
  const handler = createClosingHandler(createMcpHandler(createMcpServerFactory(mcp, requestCaller)));
  const direct = createDirectAnswers({ ...mcp, handler });
  const times = { ttlMs: 60_000, maxTtlMs: 60_000, pollIntervalMs: 1_000 };
  const features = { elicitationForm: true };
  const { task } = await store.create(CALLER, { tool: 'required_job', args: {}, features, ...times });
  return {
    store,
    metrics: mcp.metrics,
    taskId: task.taskId,
    async directly({ headers, message }) {
      const answering = direct.to(message, exchangeOf(headers));
      return answering && written(await answering);
    },
    async bySdk({ headers, message }) {
      const { request, response, caller } = exchangeOf(headers);
      const options = { parsedBody: message, authInfo: toAuthInfo(caller) };
      return written(await handler.fetch(toWebRequest(request, response), options));
    },
    closeDirect: () => direct.close(),
    async close() {
      direct.close();
      await handler.close();
    },
  };
}

/** `change`: of the body. `undefined`: the door refuses it, so that it goes neither way. */
export function readAsSent(request: McpRequest, change: object = {}): SentRequest | undefined {
  const body = JSON.stringify({ ...(JSON.parse(bodyOf(request)) as object), ...change });
  const parsed = parseFrame(body);
  return 'message' in parsed ? { headers: headersOf(request), message: parsed.message } : undefined;
}

/** As Node's parser hands it over. */
function exchangeOf(headers: Readonly<Record<string, string>>) {
  const request = new IncomingMessage(new Socket());
  Object.assign<IncomingHttpHeaders, IncomingHttpHeaders>(request.headers, headers);
  return { request, response: new ServerResponse(request), caller: CALLER };
}

async function written(answer: ReadyAnswer | Response): Promise<Written> {
  if (isReady(answer)) return [answer.status, answer.headers, answer.text];
  return [answer.status, Object.fromEntries(answer.headers), await answer.text()];
}
