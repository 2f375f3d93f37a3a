/** Effects outside that must not outlive a task that did not complete: remembered, and taken back newest first. */
import { CancellationScope } from '@temporalio/workflow';

export class EffectLog {
  readonly #undos: (() => Promise<void>)[] = [];

  remember(undo: () => Promise<void>): void {
    this.#undos.push(undo);
  }

  /** Never cancelled half-way. All are tried; rejects with the first failure of an undo that failed for good. */
  async undoAll(): Promise<void> {
    const failures: unknown[] = [];
    await CancellationScope.nonCancellable(async () => {
      for (let undo = this.#undos.pop(); undo !== undefined; undo = this.#undos.pop()) {
        await undo().catch((error: unknown) => failures.push(error));
      }
    });
    if (failures.length > 0) throw failures[0];
  }
}
