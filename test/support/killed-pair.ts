/** One front and one worker that are killed together, `kill -9`, and replaced: cookies, links and forms of before lead on. */
import { eventually } from './eventually.ts';
import type { RoleProcess } from './processes.ts';
import { kill9, type Product } from './product.ts';

export interface KilledPair {
  /** The same over all kills. */
  readonly origin: string;
  /** Both. Resolves when others are ready in their places. */
  readonly replace: () => Promise<void>;
  readonly replaceFront: () => Promise<void>;
}

/** Begins with a front alone: the first worker comes with the first `replace`. */
export async function openPair(product: Product): Promise<KilledPair> {
  let front = await product.startFront();
  let worker: RoleProcess | undefined;

  async function replaceFront(): Promise<void> {
    const port = String(front.port);
    await kill9(front);
    front = await product.startFront({ PORT: port });
  }

  async function replaceWorker(): Promise<void> {
    if (worker !== undefined) await kill9(worker);
    worker = await product.startWorker();
  }

  return {
    origin: front.url,
    replaceFront,
    async replace() {
      await Promise.all([replaceFront(), replaceWorker()]);
    },
  };
}

/**
 * Begins `work`, has `kill` come somewhere in the middle of it, and repeats it until it neither throws nor returns `false`.
 * `work` is the same each time, as somebody sends the same again who has got no answer.
 */
export async function throughKill<T>(
  kill: () => Promise<void>,
  work: () => Promise<T>,
  deadlineMs: number,
): Promise<Exclude<T, false>> {
  const lost = work().catch(() => undefined);
  await kill();
  await lost;
  return eventually(work, deadlineMs);
}
