/**
 * Writes of one process that take the same lock, as few transactions: what comes while one is under way goes into the next. A
 * database that was found away is not asked again for a moment, so that a thousand writers do not wait for it one by one.
 */
import { StoreDown } from './store-down.ts';

const AWAY_MS = 1_000;
const MAX_AT_ONCE = 20;

interface Waiting<Item> {
  readonly item: Item;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

export class GroupCommit<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Waiting<Item>[] = [];
  #isAtWork = false;
  #awayUntil = 0;

  /** `write`: all of them or none. */
  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves once `item` is written. @throws StoreDown, or what `write` threw */
  add(item: Item): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ item, done, failed });
      if (!this.#isAtWork) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MAX_AT_ONCE));
    this.#isAtWork = false;
  }

  async #commit(group: readonly Waiting<Item>[]): Promise<void> {
    try {
      if (performance.now() < this.#awayUntil) throw new StoreDown();
      await this.#write(group.map(({ item }) => item));
      for (const { done } of group) done();
    } catch (error: unknown) {
      if (error instanceof StoreDown) {
        if (error.cause !== undefined) this.#awayUntil = performance.now() + AWAY_MS;
      } else if (group.length > 1) {
        // One that cannot be written must not keep the others from it.
        for (const each of group) await this.#commit([each]);
        return;
      }
      for (const { failed } of group) failed(error);
    }
  }
}
