/** The server as a command, driven by official clients of MCP 2026-07-28 over its stdin and stdout. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client, type ClientCapabilities, type Notification } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { LISTEN_LIMITS } from '../../server/listen-http.ts';
import { eventually } from '../support/eventually.ts';
import { envelope, post, TASKS_AND_FORMS } from '../support/mcp-request.ts';
import { stdioCommand } from '../support/older-client.ts';
import type { RoleProcess } from '../support/processes.ts';
import { aCall, anAskingCall, openProduct, ordersOf, type Product } from '../support/product.ts';
import { atScopeEnd } from '../support/scope.ts';

const MIB = 1_024 * 1_024;

let product: Product;
let front: RoleProcess;
beforeAll(async () => {
  product = await openProduct();
  [front] = await Promise.all([product.startFront(), product.startWorker()]);
}, 60_000);

async function connect(capabilities: ClientCapabilities): Promise<Client> {
  const info = { name: 'test', version: '1.0.0' };
  const client = new Client(info, { capabilities, versionNegotiation: { mode: 'auto' } });
  await client.connect(new StdioClientTransport({ ...stdioCommand(product.env), stderr: 'ignore' }));
  atScopeEnd(() => client.close());
  return client;
}

describe('the client of the SDK over stdio', () => {
  it('answers the question of a call that is held, in rounds', async () => {
    const client = await connect({ elicitation: { form: {} } });
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { costCentre: '1100' } }));
    const { structuredContent, isError } = await client.callTool({
      name: 'purchase_order',
      arguments: { ...anAskingCall() },
    });
    expect(isError).toBeUndefined();
    const { taskId } = structuredContent as { taskId: string };
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
  }, 90_000);

  it('hears of each change of a task that another door started', async () => {
    const client = await connect(TASKS_AND_FORMS);
    const seen: Notification[] = [];
    client.fallbackNotificationHandler = (notification) => {
      seen.push(notification);
      return Promise.resolve();
    };
    const params = { name: 'purchase_order', arguments: aCall() };
    const { body } = await post(`${front.url}/mcp`, { method: 'tools/call', params });
    const { taskId } = body.result;
    const filter: object = { taskIds: [taskId] };
    const subscription = await client.listen(filter);
    expect(await subscription.closed).toBe('graceful');
    expect(seen.at(-1)).toMatchObject({ method: 'notifications/tasks', params: { taskId, status: 'completed' } });
    expect(await ordersOf(product.erp, taskId)).toEqual({ live: 1, voided: 0 });
  }, 90_000);
});

describe.each(['SIGTERM', 'the end of its input'])('with %s', (end) => {
  it('the command answers a held call by naming its task, ends with 0, and wrote nothing else to stdout', async () => {
    const { command, args, env } = stdioCommand(product.env);
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
    atScopeEnd(async () => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const write = (id: string, method: string, params: object): void => {
      const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope({}) } };
      child.stdin.write(`${JSON.stringify(message)}\n`);
    };
    const label = `held until ${end}`;
    write('listed', 'tools/list', {});
    await eventually(() => text.includes('"listed"'), 30_000);
    write('held', 'tools/call', { name: 'slow_compute', arguments: { seconds: 50, label } });
    const url = `${front.url}/mcp`;
    const taskId = await eventually(async () => {
      const asked = { method: 'tools/call', params: { name: 'my_tasks', arguments: {} }, capabilities: {} };
      const tasks = (await post(url, asked)).body.result.structuredContent['tasks'] as { id: string; status: string }[];
      return tasks.find(({ status }) => status === 'working')?.id ?? false;
    }, 20_000);
    if (end === 'SIGTERM') child.kill('SIGTERM');
    else child.stdin.end();
    expect(await exited).toEqual([0, null]);
    const frames = text.split('\n').filter((line) => line !== '');
    const held = frames
      .map((line) => JSON.parse(line) as { id: string; result: object })
      .find(({ id }) => id === 'held');
    expect(held?.result).toMatchObject({ structuredContent: { task: { id: taskId, status: 'working' } } });
    const read = await post(url, { method: 'tasks/get', params: { taskId } });
    expect(read.body.result.status).toBe('working');
    await post(url, { method: 'tasks/cancel', params: { taskId } });
    await eventually(async () => {
      const { result } = (await post(url, { method: 'tasks/get', params: { taskId } })).body;
      return result.status === 'cancelled';
    }, 30_000);
  }, 120_000);
});

describe('a client that does not read', () => {
  it('is waited for, then left: its subscription is over, its task goes on', async () => {
    const url = `${front.url}/mcp`;
    const started = { method: 'tools/call', params: { name: 'slow_compute', arguments: { seconds: 300 } } };
    const { taskId } = (await post(url, started)).body.result;
    const { command, args, env } = stdioCommand(product.env);
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    atScopeEnd(async () => void child.kill('SIGKILL'));
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
    const exited = once(child, 'exit');
    child.stdin.on('error', () => undefined);
    const line = (id: number, method: string, params: object): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope() } })}\n`;
    child.stdin.write(line(0, 'subscriptions/listen', { notifications: { taskIds: [taskId] } }));
    let sentBytes = 0;
    for (let id = 1; child.exitCode === null && sentBytes < 32 * MIB; id += 1) {
      const text = line(id, 'tools/list', {});
      sentBytes += text.length;
      if (!child.stdin.write(text)) await Promise.race([once(child.stdin, 'drain').catch(() => undefined), exited]);
    }
    expect(await exited).toEqual([0, null]);
    expect(sentBytes).toBeLessThan(4 * MIB);
    expect(log).toContain(`The client has read nothing for ${String(LISTEN_LIMITS.blockedMs)} ms.`);
    const read = await post(url, { method: 'tasks/get', params: { taskId } });
    expect(read.body.result.status).toBe('working');
    await post(url, { method: 'tasks/cancel', params: { taskId } });
  }, 120_000);
});
