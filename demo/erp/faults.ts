/** Trouble on order, for tests: what happens when a request passes a named point. */

/** Where a request can be met. Before `…-accept` nothing has happened; after it the effect stands and nobody knows. */
export const POINTS = [
  'capabilities',
  'orders-before-accept',
  'orders-after-accept',
  'search',
  'read',
  'void-before-accept',
  'void-after-accept',
  'receipts-before-accept',
  'receipts-after-accept',
  'receipts-read',
  'invoices-before-accept',
  'invoices-after-accept',
] as const;
export type Point = (typeof POINTS)[number];

export type Trouble =
  /** Stands still until released; goes on even when the client has hung up. */
  | { readonly kind: 'hold' }
  /** The connection is cut without an answer. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'unavailable' }
  /** A business "no". */
  | { readonly kind: 'refuse' }
  /** An answer with this HTTP status, without a word about the order. */
  | { readonly kind: 'answer'; readonly status: number }
  | { readonly kind: 'delay'; readonly delayMs: number };
export type Fault = Trouble & {
  readonly at: Point;
  /** How many requests it meets. Default: until it is released. */
  readonly times?: number;
};

/** What the request that passes has to do: go on, or end like this. */
export type Passage = 'go-on' | 'drop' | 'unavailable' | 'refuse' | { readonly status: number };

interface Armed {
  readonly fault: Fault;
  left: number;
}

export class Faults {
  readonly #armed: Armed[] = [];
  readonly #held = new Map<Point, (() => void)[]>();

  arm(fault: Fault): void {
    this.#armed.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  /** Takes the faults at `point` away and lets go whom they held. */
  release(point: Point): void {
    const rest = this.#armed.filter(({ fault }) => fault.at !== point);
    this.#armed.splice(0, this.#armed.length, ...rest);
    const held = this.#held.get(point) ?? [];
    this.#held.delete(point);
    for (const letGo of held) letGo();
  }

  releaseAll(): void {
    for (const point of POINTS) this.release(point);
  }

  heldCounts(): Readonly<Record<string, number>> {
    return Object.fromEntries(POINTS.map((point) => [point, this.#held.get(point)?.length ?? 0]));
  }

  async pass(point: Point): Promise<Passage> {
    const armed = this.#armed.find(({ fault, left }) => fault.at === point && left > 0);
    if (armed === undefined) return 'go-on';
    armed.left -= 1;
    const { fault } = armed;
    switch (fault.kind) {
      case 'hold':
        await new Promise<void>((resolve) => {
          this.#held.set(point, [...(this.#held.get(point) ?? []), resolve]);
        });
        return 'go-on';
      case 'delay':
        await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
        return 'go-on';
      case 'drop':
      case 'unavailable':
      case 'refuse':
        return fault.kind;
      case 'answer':
        return { status: fault.status };
    }
  }
}
