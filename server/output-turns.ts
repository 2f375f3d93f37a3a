/** Messages to a client that reads at its own pace, one after another: one that does not read is cut off. */
import type { Writable } from 'node:stream';

export interface OutputTurnsOptions {
  readonly output: Writable;
  /** How long the client may leave unread what was sent. */
  readonly blockedMs: number;
}

export class OutputTurns {
  readonly #options: OutputTurnsOptions;
  #last: Promise<void> = Promise.resolve();

  constructor(options: OutputTurnsOptions) {
    this.#options = options;
  }

  /** `write` is called when its turn comes, and resolves when there is room for the next one. @throws what it throws */
  take(write: () => Promise<void>): Promise<void> {
    const written = this.#last.then(() => this.#inTime(write));
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Resolves when all that has taken its turn until now is written and there is room, or nobody reads any more. */
  room(): Promise<void> {
    return this.#last;
  }

  async #inTime(write: () => Promise<void>): Promise<void> {
    const { output, blockedMs } = this.#options;
    const cutOff = (): void => {
      output.destroy(new Error(`The client has read nothing for ${String(blockedMs)} ms.`));
    };
    const tooLong = setTimeout(cutOff, blockedMs);
    await write().finally(() => clearTimeout(tooLong));
  }
}
