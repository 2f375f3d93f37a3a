/**
 * Reads the text of PDFs in a process of its own, one after the other. A PDF that takes too long or too much memory costs
 * that process, and the next one starts another.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { MAX_PAGES, type PdfAnswer, type PdfProblem, type PdfQuestion, type PdfText } from './pdf-text.ts';
import { ReadFault } from './read-fault.ts';

export interface PdfReaderOptions {
  /** For one PDF. Ordinary invoices take some 20 ms. */
  readonly deadlineMs?: number;
  /** Of the whole process, which needs some 150 MiB for itself. Watched on Linux; elsewhere only its heap is bounded. */
  readonly memoryBytes?: number;
}

const MEBIBYTE = 1024 * 1024;
const START_MS = 60_000;
const WATCH_EVERY_MS = 50;
const HEAP_MEBIBYTES = 256;
const PROBLEMS: Readonly<Record<PdfProblem, string>> = {
  password: 'The PDF is protected by a password. Send it without.',
  damaged: 'The PDF is damaged and cannot be read. Save it anew and send it again.',
  pages: `The PDF has more than ${String(MAX_PAGES)} pages. Send the pages of the invoice alone.`,
  text: 'The PDF holds more text than an invoice may. Send the pages of the invoice alone.',
};
const TOO_LONG_TEXT = 'The PDF takes too long to read. Print it to a new PDF and send that.';
const TOO_LARGE_TEXT = 'The PDF takes too much memory to read. Print it to a new PDF and send that.';
const NO_TEXT = 'The PDF holds no text: it is probably a scan. Send it with recognised text, or as CSV.';

export class PdfReader {
  readonly #options: Required<PdfReaderOptions>;
  #child: ChildProcess | undefined;

  constructor({ deadlineMs = 20_000, memoryBytes = 512 * MEBIBYTE }: PdfReaderOptions = {}) {
    this.#options = { deadlineMs, memoryBytes };
  }

  /** One at a time. @throws ReadFault */
  async read(bytes: Uint8Array): Promise<PdfText> {
    this.#child ??= await startChild();
    const answer = await this.#ask(this.#child, { bytes });
    if ('problem' in answer) throw new ReadFault(PROBLEMS[answer.problem]);
    if (answer.pages.every((pieces) => pieces.length === 0)) throw new ReadFault(NO_TEXT);
    return answer.pages;
  }

  /** Ends the process. Reading again starts another. */
  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async #ask(child: ChildProcess, question: PdfQuestion): Promise<PdfAnswer> {
    const { deadlineMs, memoryBytes } = this.#options;
    const watch = setInterval(() => void endWhenOver(child, memoryBytes), WATCH_EVERY_MS);
    try {
      return (await messageOf(child, deadlineMs, () => child.send(question))) as PdfAnswer;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      clearInterval(watch);
    }
  }
}

/** The worker's environment holds keys: the process gets none of it. */
async function startChild(): Promise<ChildProcess> {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(new URL(`./pdf-process.${isSource ? 'ts' : 'js'}`, import.meta.url));
  const child = fork(entry, {
    execArgv: [
      `--max-old-space-size=${String(HEAP_MEBIBYTES)}`,
      '--disallow-code-generation-from-strings',
      ...(isSource ? ['--import', 'tsx'] : []),
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // What goes wrong on the way to a process that dies is told by its end.
  child.on('error', () => undefined);
  try {
    await messageOf(child, START_MS, () => undefined);
    return child;
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error('The process that reads PDFs cannot be started.', { cause: error });
  }
}

/** @throws ReadFault when none comes in time, or the process ends instead: its memory was full */
function messageOf(child: ChildProcess, deadlineMs: number, ask: () => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      settle();
    };
    const onMessage = (message: unknown): void => end(() => resolve(message));
    const onExit = (): void => end(() => reject(new ReadFault(TOO_LARGE_TEXT)));
    const timer = setTimeout(() => end(() => reject(new ReadFault(TOO_LONG_TEXT))), deadlineMs);
    child.once('message', onMessage).once('exit', onExit);
    ask();
  });
}

async function endWhenOver(child: ChildProcess, memoryBytes: number): Promise<void> {
  if ((await residentBytes(child.pid)) > memoryBytes) child.kill('SIGKILL');
}

/** 0 when nobody can tell. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
