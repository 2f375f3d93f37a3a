/**
 * A TCP relay between two real parts, to break the line between them as networks do.
 *
 * Bytes are never lost inside a connection that lives on: TCP would send them again. So a black hole holds them back,
 * and `restore` lets them through, in order.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export type Direction = 'toTarget' | 'toClient';

export interface Relay {
  readonly port: number;
  /** Connections that stand now. */
  readonly connectionCount: () => number;
  /** Ends every connection with a reset; new ones go through. */
  cut(): void;
  /** Resets every connection and refuses new ones. */
  refuse(): Promise<void>;
  /** Every chunk, either way, arrives `ms` later. */
  delay(ms: number): void;
  /** Nothing arrives in this direction, and nobody is told. */
  blackhole(direction: Direction): void;
  /** As at the start: held bytes go through, new connections are accepted, no delay. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

interface Line {
  delayMs: number;
  /** By direction: settled while the line is open. */
  readonly gates: Map<Direction, Gate>;
}

interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

export async function createRelay(targetPort: number): Promise<Relay> {
  const line: Line = { delayMs: 0, gates: new Map() };
  const sockets = new Set<Socket>();
  let port = 0;
  let server: Server | undefined = await listen();

  async function listen(): Promise<Server> {
    const listening = createServer({ allowHalfOpen: true }, (client) => {
      join(client, targetPort, line, sockets);
    });
    await new Promise<void>((resolve, reject) => {
      listening.once('error', reject);
      listening.listen(port, '127.0.0.1', resolve);
    });
    port = (listening.address() as AddressInfo).port;
    return listening;
  }

  function cut(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  async function refuse(): Promise<void> {
    const closing = server;
    server = undefined;
    const closed = new Promise((resolve) => (closing === undefined ? resolve(undefined) : closing.close(resolve)));
    cut();
    await closed;
  }

  function openGates(): void {
    for (const gate of line.gates.values()) gate.open();
    line.gates.clear();
  }

  return {
    port,
    connectionCount: () => sockets.size / 2,
    cut,
    refuse,
    delay: (ms) => {
      line.delayMs = ms;
    },
    blackhole: (direction) => {
      if (!line.gates.has(direction)) line.gates.set(direction, closedGate());
    },
    restore: async () => {
      line.delayMs = 0;
      openGates();
      server ??= await listen();
    },
    close: async () => {
      openGates();
      await refuse();
    },
  };
}

function closedGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function join(client: Socket, targetPort: number, line: Line, sockets: Set<Socket>): void {
  const target = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
  for (const socket of [client, target]) {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
    // The other side learns of it below; the reason is of no interest to a relay.
    socket.on('error', () => undefined);
  }
  pump(client, target, 'toTarget', line);
  pump(target, client, 'toClient', line);
}

function pump(from: Socket, to: Socket, direction: Direction, line: Line): void {
  let last: Promise<void> = Promise.resolve();
  const inOrder = (deliver: () => void): void => {
    const dueAt = Date.now() + line.delayMs;
    last = last.then(async () => {
      await line.gates.get(direction)?.opened;
      const waitMs = dueAt - Date.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (!to.destroyed) deliver();
    });
  };
  from.on('data', (chunk) => {
    inOrder(() => to.write(chunk));
  });
  from.on('end', () => {
    inOrder(() => to.end());
  });
  from.on('close', (hadError) => {
    if (hadError) inOrder(() => to.resetAndDestroy());
  });
}
