/** A command that serves MCP 2026-07-28 over stdio, spoken to in lines: nothing of an SDK stands between. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from './eventually.ts';
import { envelope, type RpcAnswer } from './mcp-request.ts';
import { atScopeEnd, hasTestFailed } from './scope.ts';

export interface LineCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Frame extends RpcAnswer {
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface LineClient {
  /** The answer. `capabilities` default to the Tasks extension and form elicitation. */
  request(method: string, params?: object, capabilities?: unknown): Promise<Frame>;
  /** Sends without waiting; the id under which the answer will come. */
  send(method: string, params?: object, capabilities?: unknown): number;
  /** Any message, as it is. */
  write(message: object): void;
  /** All that came, in order. A line that is no JSON fails whoever asks. */
  frames(): readonly Frame[];
}

const ANSWER_MS = 30_000;
const EXIT_MS = 15_000;

/** Ends with the test or file that opened it: by the end of its input. */
export function openLineClient({ command, args, cwd, env }: LineCommand): LineClient {
  const child = spawn(command, [...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  atScopeEnd(async () => {
    child.stdin.end();
    const isLate = delay(EXIT_MS, true, { ref: false });
    const isHanging = (await Promise.race([exited, isLate])) === true;
    if (isHanging) child.kill('SIGKILL');
    if (hasTestFailed()) process.stderr.write(`\n--- what the server said\n${log}\n---\n`);
    if (isHanging) throw new Error('The server did not end with its input.');
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const frames = (): readonly Frame[] => lines.map((line) => JSON.parse(line) as Frame);
  const write = (message: object): void => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  let lastId = 0;
  const send: LineClient['send'] = (method, params = {}, capabilities) => {
    lastId += 1;
    write({ jsonrpc: '2.0', id: lastId, method, params: { ...params, _meta: envelope(capabilities) } });
    return lastId;
  };
  return {
    send,
    write,
    frames,
    request(method, params, capabilities) {
      const id = send(method, params, capabilities);
      const isGone = exited.then(([code, signal]) => {
        throw new Error(`The server ended with ${String(code ?? signal)}:\n${log}`);
      });
      return Promise.race([isGone, eventually(() => frames().find((frame) => frame.id === id) ?? false, ANSWER_MS)]);
    },
  };
}
