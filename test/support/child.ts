/** One real process, its output, and its end. Knows nothing of Jest: the global set-up uses it too. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { patiently } from './patience.js';

export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of the tests, less what is meant for Jest itself. `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Answers `true` once the process can be used; asked again and again until then. */
  readonly isReady: (child: Child) => boolean | Promise<boolean>;
  /** Default 20,000. */
  readonly readyWithinMs?: number;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly isRunning: () => boolean;
  /** What it has written to both streams, in the order of arrival. */
  readonly output: () => string;
  signal(signal: NodeJS.Signals): void;
  /** SIGTERM, then SIGKILL once `withinMs` have passed. Also ends a stopped process. */
  end(withinMs?: number): Promise<Exit>;
}

const KEPT_OUTPUT_CHARACTERS = 200_000;
const PROBE_EVERY_MS = 50;
const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** @throws with the process's output when it ends or stays unready */
export async function startChild(options: ChildOptions): Promise<Child> {
  const child = spawnChild(options);
  const deadlineAt = Date.now() + patiently(options.readyWithinMs ?? 20_000);
  while (!(await options.isReady(child))) {
    const problem = problemOf(child, deadlineAt);
    if (problem !== undefined) {
      child.signal('SIGKILL');
      throw new Error(`${options.name} ${problem}. Its output:\n${child.output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
  }
  return child;
}

function problemOf(child: Child, deadlineAt: number): string | undefined {
  if (!child.isRunning()) return 'ended before it was ready';
  return Date.now() > deadlineAt ? 'was not ready in time' : undefined;
}

function spawnChild({ name, command, args, env = {} }: ChildOptions): Child {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([key]) => !/^(JEST_|NODE_OPTIONS$)/.test(key)),
  );
  const child = spawn(command, args, {
    cwd: repositoryRoot,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output = (output + text).slice(-KEPT_OUTPUT_CHARACTERS);
    });
  }
  const exited = new Promise<Exit>((resolve) => {
    child.once('error', (error) => {
      output += `\n${error.message}`;
      running.delete(child);
      resolve({ code: null, signal: null });
    });
    child.once('exit', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  const isRunning = (): boolean => running.has(child);
  return {
    name,
    pid: child.pid ?? -1,
    exited,
    isRunning,
    output: () => output,
    signal: (signal) => void child.kill(signal),
    end: async (withinMs = 10_000) => {
      child.kill('SIGTERM');
      child.kill('SIGCONT');
      const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
      return exited.finally(() => {
        clearTimeout(timer);
      });
    },
  };
}

/** Asks a health URL; whatever is not 200 is not ready. */
export async function answersOk(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status === 200;
    },
    () => false,
  );
}
