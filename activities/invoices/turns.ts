interface Waiting {
  readonly owner: string;
  readonly go: () => void;
}

/** Lets so many run at once, and so many of each owner; the others wait in line. */
export class Turns {
  #free: number;
  readonly #ofOne: number;
  readonly #running = new Map<string, number>();
  #waiting: readonly Waiting[] = [];

  constructor(atOnce: number, ofOne: number) {
    this.#free = atOnce;
    this.#ofOne = ofOne;
  }

  async take<T>(owner: string, run: () => Promise<T>): Promise<T> {
    await new Promise<void>((go) => {
      this.#waiting = [...this.#waiting, { owner, go }];
      this.#letGo();
    });
    try {
      return await run();
    } finally {
      this.#free += 1;
      const left = this.#runningOf(owner) - 1;
      if (left > 0) this.#running.set(owner, left);
      else this.#running.delete(owner);
      this.#letGo();
    }
  }

  #runningOf(owner: string): number {
    return this.#running.get(owner) ?? 0;
  }

  /** The first in line whose owner may have another. */
  #letGo(): void {
    const next = this.#free > 0 && this.#waiting.find(({ owner }) => this.#runningOf(owner) < this.#ofOne);
    if (next === false || next === undefined) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#free -= 1;
    this.#running.set(next.owner, this.#runningOf(next.owner) + 1);
    next.go();
  }
}
