/**
 * A front that does nothing but what none can do without: it parses, starts and answers. No sign-in, no limits, no schema, no
 * encryption. What it adds to the raw start nobody could save.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { seedState } from '../../protocol/task-state.ts';
import { toDetailedTask } from '../../protocol/detailed-task.ts';
import type { JsonObject } from '../../protocol/task.ts';
import { openRawTemporal } from './raw-temporal.ts';

const { PORT, TASK_QUEUE = '' } = process.env;
const raw = await openRawTemporal(TASK_QUEUE);

interface Call {
  readonly id: number;
  readonly params: { readonly name: string; readonly arguments: JsonObject };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.end();
    return;
  }
  const { id, params } = JSON.parse(await text(request)) as Call;
  const taskId = await raw.start(params.name, params.arguments);
  const task = toDetailedTask(seedState({ taskId, createdAt: Date.now(), ttlMs: 1, pollIntervalMs: 1 }));
  const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'task', ...task } });
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
    .end(answer);
}

createServer((request, response) => {
  serve(request, response).catch((error: unknown) => response.destroy(error as Error));
}).listen(Number(PORT), '127.0.0.1');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
