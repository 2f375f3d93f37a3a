/** What clients of the revisions before 2026-07-28 would send, with members changed or not. */
import type { SeededRandom } from '../support/seeded-random.ts';
import { mutate, ODD_TEXTS } from './mutations.ts';
import { postRequest, type Chunks, type Header, type Target } from './request-bytes.ts';

const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

export function olderMessage(random: SeededRandom, target: Target): Chunks {
  const revision = random.pick(REVISIONS);
  const message = random.pick(messagesOf(random, revision, target.foreignTaskId));
  for (let count = random.below(3); count > 0; count -= 1) mutate(random, message);
  const headers: Header[] = [['mcp-protocol-version', revision]];
  if (random.below(4) === 0) headers.push(['mcp-session-id', random.pick(['x', 'A'.repeat(120), '__proto__'])]);
  const body = random.below(10) === 0 ? [message, message] : message;
  return postRequest(target, JSON.stringify(body), headers);
}

type Message = Record<string, unknown>;

function messagesOf(random: SeededRandom, protocolVersion: string, foreignTaskId: string): [Message, ...Message[]] {
  const id = random.below(1_000_000);
  const taskId = random.pick([foreignTaskId, foreignTaskId, 'A'.repeat(22), ...ODD_TEXTS]);
  const clientInfo = { name: 'fuzz', version: '1' };
  const request = (method: string, params: object): Message => ({ jsonrpc: '2.0', id, method, params });
  const call = (name: string, args: object, more: object = {}): Message =>
    request('tools/call', { name, arguments: args, ...more });
  return [
    request('initialize', { protocolVersion, capabilities: { elicitation: {} }, clientInfo }),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
    { jsonrpc: '2.0', id: `form-${String(id)}`, result: { action: 'accept', content: { costCentre: '1100' } } },
    { jsonrpc: '2.0', id, error: { code: -1, message: 'No.' } },
    request('ping', {}),
    request('tools/list', {}),
    request('resources/list', {}),
    request('resources/read', { uri: `task://${taskId}/order.pdf` }),
    request('tasks/list', random.pick<object>([{}, { cursor: taskId }])),
    ...['tasks/get', 'tasks/result', 'tasks/cancel'].map((method) => request(method, { taskId })),
    call('greet', { name: 'Ada' }),
    call('slow_compute', { seconds: 0 }, { task: { ttl: 60_000 } }),
    call('my_tasks', random.pick<object>([{}, { cursor: taskId }])),
    call('task_wait', { id: taskId, seconds: 0 }),
    ...['task_result', 'task_cancel'].map((name) => call(name, { id: taskId })),
    call('task_answer', { id: taskId, answers: { costCentre: '1100' } }),
  ];
}
