/** Requests that are wrong in one way or another, each as the bytes that go out. */
import { PROTOCOL_VERSION, TASKS_EXTENSION } from '../../protocol/extension.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import { mutate, ODD_TEXTS, randomJson } from './mutations.ts';
import { olderMessage } from './older-messages.ts';
import { otherDoor } from './other-doors.ts';
import { postRequest as post, requestHead as head, type Chunks, type Header, type Target } from './request-bytes.ts';

export interface BadRequest {
  readonly kind: string;
  readonly chunks: Chunks;
  /** All of it goes out, and framed as HTTP has it: silence is no answer to it. */
  readonly isWhole: boolean;
}

type Make = (random: SeededRandom, target: Target) => Chunks;
type Headers = readonly Header[];

const METHODS = [
  'tools/call',
  'tools/list',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
  'resources/list',
  'resources/read',
  'server/discover',
  'initialize',
  'tasks/result',
  'tasks/list',
  'subscriptions/listen',
  'notifications/cancelled',
] as const;
const TOOLS = ['purchase_order', 'slow_compute', 'greet', 'task_wait', 'my_tasks', 'task_answer', 'nothing'] as const;

/** An answer may be lost where the server has said it before all has been sent. */
const NOT_WHOLE: readonly string[] = ['a body cut short or too long for its length', 'broken framing'];

const KINDS: Readonly<Record<string, Make>> = {
  'a valid request with members changed': (random, target) => {
    const message = validMessage(random, target);
    for (let count = 1 + random.below(4); count > 0; count -= 1) mutate(random, message);
    return post(target, JSON.stringify(message), headersFor(message));
  },
  'random JSON': (random, target) => post(target, JSON.stringify(randomJson(random, 5)), []),
  'bytes flipped in a body': (random, target) => {
    const bytes = Buffer.from(JSON.stringify(validMessage(random, target)));
    for (let count = 1 + random.below(8); count > 0; count -= 1) bytes[random.below(bytes.length)] = random.below(256);
    return post(target, bytes, []);
  },
  'a body cut short or too long for its length': (random, target) => {
    const body = JSON.stringify(validMessage(random, target));
    const written = Math.max(0, body.length + random.below(40) - 20);
    const rest = written > body.length ? [' '.repeat(written - body.length)] : [];
    return [head(target, [['content-length', String(written)]]), body, ...rest];
  },
  'headers that contradict or repeat': (random, target) => {
    const message = validMessage(random, target);
    const games: readonly [Header, ...Header[]] = [
      ['mcp-method', random.pick(METHODS)],
      ['mcp-name', random.pick([...TOOLS, 'x\ty', 'a'.repeat(5_000), '=?base64?!?='])],
      ['mcp-protocol-version', random.pick(['2025-11-25', '1999-01-01', '', 'x'.repeat(300)])],
      ['content-type', random.pick(['text/plain', 'application/json; charset=utf-16', 'multipart/form-data', ''])],
      ['accept', random.pick(['', 'image/png', '*/*;q=0', 'text/event-stream'])],
      ['content-encoding', random.pick(['gzip', 'br', 'identity, identity'])],
      ['mcp-session-id', random.pick(['x', 'A'.repeat(300), '../..'])],
      ['origin', random.pick(['null', 'http://evil.test', 'http://localhost.evil.test'])],
      ['authorization', random.pick(['Bearer', 'Basic eDp5', 'Bearer a.b.c', `Bearer ${'a'.repeat(9_000)}`])],
      ['idempotency-key', random.pick(['', 'x'.repeat(300), 'k'])],
      ['cookie', 'a=b'],
    ];
    const chosen = Array.from({ length: 1 + random.below(4) }, () => random.pick(games));
    return post(target, JSON.stringify(message), chosen);
  },
  'broken framing': (random, target) => [
    random.pick([
      'GET',
      '\r\n\r\n\r\n',
      `POST /mcp HTTP/1.1\r\nHost: ${target.host}\r\nContent-Length: -5\r\n\r\n`,
      `POST /mcp HTTP/1.1\r\nHost: ${target.host}\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde`,
      `POST /mcp HTTP/1.1\r\nHost: ${target.host}\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nzz\r\n`,
      `POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: ${target.host}\r\n\r\nffffffffffffffffff\r\n`,
      `POST /mcp HTTP/9.9\r\nHost: ${target.host}\r\n\r\n`,
      `POST /mcp HTTP/1.1\r\nHost: ${target.host}\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
      `POST /mcp HTTP/1.1\r\nHost : ${target.host}\r\n\r\n`,
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    ]),
  ],
  'other paths and verbs': (random, target) => {
    const path = random.pick([
      '/mcp',
      '/',
      '/mcp/../x',
      '/metrics',
      '/codec/decode',
      '/%2e%2e/',
      `/${'a'.repeat(3_000)}`,
    ]);
    const verb = random.pick(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE']);
    return [
      `${verb} ${path} HTTP/1.1\r\nHost: ${random.pick([target.host, 'evil.test'])}\r\nConnection: close\r\n\r\n`,
    ];
  },
  'deeply nested or crowded bodies': (random, target) => {
    const count = 50 + random.below(20_000);
    const body = random.pick([
      '['.repeat(count),
      `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`,
      JSON.stringify({ ...validMessage(random, target), extra: Array.from({ length: count }, () => 0) }),
      `{"jsonrpc":"2.0","id":${'9'.repeat(count)},"method":"tools/list"}`,
    ]);
    return post(target, body, []);
  },
  'somebody else’s task': (random, target) => {
    const taskId = random.pick([target.foreignTaskId, 'A'.repeat(22), ...ODD_TEXTS]);
    const method = random.pick(['tasks/get', 'tasks/update', 'tasks/cancel', 'resources/read', 'tools/call'] as const);
    const params = {
      'resources/read': { uri: `task://${taskId}/order.pdf` },
      'tools/call': {
        name: random.pick(['task_result', 'task_cancel', 'task_answer'] as const),
        arguments: { id: taskId },
      },
      'tasks/update': { taskId, inputResponses: { x: { action: 'accept', content: {} } } },
      'tasks/get': { taskId },
      'tasks/cancel': { taskId },
    }[method];
    const declared = method !== 'tools/call';
    const message = envelope(random, method, params, declared);
    return post(target, JSON.stringify(message), headersFor(message));
  },
  'a message of an older revision': olderMessage,
  'the doors beside /mcp': otherDoor,
};

/** Once in a while, because each costs the server megabytes. */
const oversized = (target: Target): Chunks =>
  post(target, `{"jsonrpc":"2.0","id":1,"method":"tools/list","x":"${'a'.repeat(5_000_000)}"}`, []);

export function badRequest(random: SeededRandom, target: Target): BadRequest {
  if (random.below(500) === 0) return { kind: 'oversized', chunks: oversized(target), isWhole: false };
  const kind = Object.keys(KINDS)[random.below(Object.keys(KINDS).length)] ?? '';
  const make = KINDS[kind];
  if (make === undefined) throw new Error('There is no such kind.');
  return { kind, chunks: make(random, target), isWhole: !NOT_WHOLE.includes(kind) };
}

function envelope(random: SeededRandom, method: string, params: object, declared = true): Record<string, unknown> {
  return {
    jsonrpc: '2.0',
    id: random.below(1_000_000),
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': PROTOCOL_VERSION,
        'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': declared ? { extensions: { [TASKS_EXTENSION]: {} } } : {},
      },
    },
  };
}

function validMessage(random: SeededRandom, { foreignTaskId }: Target): Record<string, unknown> {
  const method = random.pick(METHODS);
  const params: Readonly<Record<string, object>> = {
    'tools/call': { name: random.pick(TOOLS), arguments: random.pick<object>([{}, { name: 'Ada' }, { seconds: 0 }]) },
    'resources/read': { uri: `task://${foreignTaskId}/x.pdf` },
    'subscriptions/listen': { notifications: { taskIds: [foreignTaskId] } },
  };
  return envelope(random, method, params[method] ?? { taskId: foreignTaskId }, random.below(4) > 0);
}

function headersFor(message: Readonly<Record<string, unknown>>): Headers {
  const { method, params } = message as { method?: unknown; params?: Record<string, unknown> };
  const name = params?.['name'] ?? params?.['taskId'] ?? params?.['uri'];
  return [
    ['mcp-protocol-version', PROTOCOL_VERSION],
    ...(typeof method === 'string' ? ([['mcp-method', inHeader(method)]] as const) : []),
    ...(typeof name === 'string' ? ([['mcp-name', inHeader(name)]] as const) : []),
  ];
}

function inHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 4_000);
}
