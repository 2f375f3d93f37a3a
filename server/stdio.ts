/** One front server on a pair of streams: the MCP server of the HTTP door, for the one client that started the process. */
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { StdioCaller } from './auth/stdio-caller.ts';
import { LISTEN_LIMITS } from './listen-http.ts';
import { createMcpParts, type ServingParts } from './mcp-parts.ts';
import { createMcpServerFactory } from './mcp-server.ts';
import { OutputTurns } from './output-turns.ts';
import { refusalMessage } from './refusal.ts';
import { createLineGuard } from './stdio-lines.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Whoever started the process is the one caller. */
export interface StdioParts extends ServingParts, StdioCaller {
  /** How long the client may leave unread what was sent. Default as over HTTP. */
  readonly blockedMs?: number;
}

export interface StdioStreams {
  readonly input: Readable;
  /** Nothing but messages goes there. */
  readonly output: Writable;
}

export interface StdioServer {
  /** Resolves when the client has closed its end, or reads no more. */
  readonly ended: Promise<void>;
  /** Ends held calls with what is known, then the connection; within `drainMs` and a little. Twice is once. */
  drain(): Promise<void>;
}

/** Starts to serve at once. */
export function createStdioServer(serving: StdioParts, { input, output }: StdioStreams): StdioServer {
  const { config, log } = serving;
  const drainControl = new AbortController();
  const mcp = createMcpParts(serving, drainControl.signal);
  const { caller, askKey } = serving;

  const turns = new OutputTurns({ output, blockedMs: serving.blockedMs ?? LISTEN_LIMITS.blockedMs });
  const lines = createLineGuard({
    onRefusal: (refusal) => void turns.take(() => inner.send(refusalMessage(refusal))).catch(() => undefined),
    room: () => turns.room(),
  });
  const inner = new StdioServerTransport(lines, output);
  const transport = new StdioTransport(inner, { ...mcp, caller, askKey, turns });
  const handle = serveStdio(
    createMcpServerFactory(mcp, () => caller),
    {
      transport,
      onerror: (error) => log.debug({ err: error }, 'message refused'),
    },
  );
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
    output.once('error', (error) => {
      log.warn({ err: error }, 'nobody reads the answers any more');
      resolve();
    });
  });
  // The end of the input does not end the connection: calls that are held still have their answers to come.
  input.pipe(lines, { end: false });

  async function drain(): Promise<void> {
    drainControl.abort();
    await Promise.race([transport.answered(), delay(config.drainMs, undefined, { ref: false })]);
    input.unpipe(lines);
    await handle.close();
  }

  let drained: Promise<void> | undefined;
  return { ended, drain: () => (drained ??= drain()) };
}
