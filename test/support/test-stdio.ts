/** A stdio server on the in-memory store, in this process: its streams are pipes. */
import { PassThrough } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { StdioCaller } from '../../server/auth/stdio-caller.ts';
import type { FrontConfig } from '../../server/front.ts';
import { createStdioServer, type StdioParts, type StdioServer } from '../../server/stdio.ts';
import type { Catalog } from '../../workflows/tool.ts';
import { eventually } from './eventually.ts';
import type { InMemoryTaskStore } from './in-memory-task-store.ts';
import { envelope } from './mcp-request.ts';
import { atScopeEnd } from './scope.ts';
import { CALLER, createTestServing } from './test-front.ts';

export interface StdioFrame {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface TestStdio {
  readonly server: StdioServer;
  readonly store: InMemoryTaskStore;
  readonly input: PassThrough;
  readonly output: PassThrough;
  /** For an official client, which then reads the output instead of `frames`. */
  transport(): Transport;
  /** All that came, in order, once somebody has asked. */
  frames(): readonly StdioFrame[];
  write(line: string): void;
  /** A 2026-07-28 request, with a new id. */
  send(method: string, params?: object, capabilities?: unknown): number;
  answer(id: unknown): Promise<StdioFrame>;
}

/** `speaker`: default CALLER, who may do everything. */
export function startTestStdio(
  config: Partial<FrontConfig> = {},
  catalog?: Catalog,
  speaker: StdioCaller & Pick<StdioParts, 'blockedMs'> = { caller: CALLER },
): TestStdio {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { store, parts } = createTestServing(config, catalog);
  const server = createStdioServer({ ...parts, ...speaker }, { input, output });
  atScopeEnd(() => server.drain());
  const chunks: string[] = [];
  let lastId = 0;
  const frames = (): readonly StdioFrame[] => {
    if (output.listenerCount('data') === 0) {
      output.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
    }
    const lines = chunks
      .join('')
      .split('\n')
      .filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as StdioFrame);
  };
  const write = (line: string): void => {
    input.write(`${line}\n`);
  };
  return {
    server,
    store,
    input,
    output,
    transport: () => new StdioServerTransport(output, input),
    frames,
    write,
    send(method, params = {}, capabilities) {
      lastId += 1;
      const _meta = envelope(capabilities);
      write(JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params: { ...params, _meta } }));
      return lastId;
    },
    answer: (id) => eventually(() => frames().find((frame) => frame.id === id) ?? false),
  };
}
