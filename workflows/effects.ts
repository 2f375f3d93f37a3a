/** Effects outside that must not outlive a task that did not complete: remembered, and taken back newest first. */
import { CancellationScope } from '@temporalio/workflow';

export class EffectLog {
  readonly #undos: (() => Promise<void>)[] = [];

  remember(undo: () => Promise<void>): void {
    this.#undos.push(undo);
  }

  /** Never cancelled half-way. Rejects with the first undo that fails for good. */
  async undoAll(): Promise<void> {
    await CancellationScope.nonCancellable(async () => {
      for (let undo = this.#undos.pop(); undo !== undefined; undo = this.#undos.pop()) await undo();
    });
  }
}
