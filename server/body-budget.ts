/**
 * What all bodies hold that a front is reading: each of them is limited by itself, but many slow senders could fill the
 * memory together. A small body passes however much the large ones hold.
 */

/** Up to this size a body is not counted. */
export const SMALL_BODY_BYTES = 64 * 1024;

export interface BodyShare {
  /** `false`: with the body at `bytes`, all of them together would be too large. */
  growTo(bytes: number): boolean;
  /** The body is read, or given up. Twice is once. */
  release(): void;
}

export class BodyBudget {
  #heldBytes = 0;
  readonly #limitBytes: number;
  readonly #onFull: () => void;

  /** `onFull`: told of each body that is given up. */
  constructor(limitBytes: number, onFull: () => void) {
    this.#limitBytes = limitBytes;
    this.#onFull = onFull;
  }

  open(): BodyShare {
    let ownBytes = 0;
    const hold = (bytes: number): void => {
      this.#heldBytes += bytes - ownBytes;
      ownBytes = bytes;
    };
    return {
      growTo: (bytes) => {
        if (bytes <= SMALL_BODY_BYTES) return true;
        if (this.#heldBytes + bytes - ownBytes > this.#limitBytes) {
          this.#onFull();
          return false;
        }
        hold(bytes);
        return true;
      },
      release: () => hold(0),
    };
  }
}
