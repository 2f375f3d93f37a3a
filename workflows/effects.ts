/** Effects outside that must not outlive a task that did not complete: remembered, and taken back newest first. */
import { CancellationScope, TemporalFailure } from '@temporalio/workflow';

interface Effect {
  readonly words: string;
  readonly undo: () => Promise<void>;
}

/** An effect that is still there: its undo failed for good. */
export interface LeftEffect {
  /** The words of the step that had it. */
  readonly words: string;
  readonly failure: TemporalFailure;
}

export class EffectLog {
  readonly #effects: Effect[] = [];

  remember(words: string, undo: () => Promise<void>): void {
    this.#effects.push({ words, undo });
  }

  /**
   * Takes back what can be taken back, never cancelled half-way. One undo that fails does not keep the others from
   * running.
   * @returns what is left, newest first
   * @throws a bug in an undo, at once: mended code then meets the history in which nothing came after it
   */
  async undoAll(): Promise<readonly LeftEffect[]> {
    const left: LeftEffect[] = [];
    await CancellationScope.nonCancellable(async () => {
      for (let effect = this.#effects.pop(); effect !== undefined; effect = this.#effects.pop()) {
        const { words, undo } = effect;
        try {
          await undo();
        } catch (failure) {
          if (!(failure instanceof TemporalFailure)) throw failure;
          left.push({ words, failure });
        }
      }
    });
    return left;
  }
}
