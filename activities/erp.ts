/** The ERP's activities for orders. How one is sent is in erp-posting.ts. */
import { cancellationSignal, sleep } from '@temporalio/activity';
import { withHeartbeats } from './attempt.ts';
import { createErpClient, type ErpMode, type OrderToPost } from './erp-client.ts';
import { createPosting, type PostingOptions, type PostOutcome } from './erp-posting.ts';
import { ORDER_TEXTS, SEARCHING, UNREACHABLE } from './erp-texts.ts';
import type { PostedOrder } from './order-draft.ts';

export type { ErpMode, OrderToPost } from './erp-client.ts';
export type { PostOutcome } from './erp-posting.ts';

interface Dependencies extends PostingOptions {
  readonly erpUrl: string;
}

export interface ErpActivities {
  /** No mode: the ERP could not be reached. */
  readonly readErpMode: () => Promise<{ readonly mode?: ErpMode }>;
  /**
   * Goes on until the outcome is known, for as long as it takes, unless certainly nothing was sent. An unknown outcome is
   * the answer where asking again would order twice (`search-only`) or tell nothing (the ERP now refuses the order).
   * @throws ToolFailure when the ERP refuses the order
   */
  readonly postOrder: (args: { order: OrderToPost; mode: ErpMode }) => Promise<PostOutcome>;
  /** Looks until an order shows, or the ERP has answered for `forMs` without showing one. */
  readonly findOrder: (args: { reference: string; forMs: number }) => Promise<{ readonly order?: PostedOrder }>;
  /** The order with this number, if it is the one under this reference. */
  readonly readOrder: (args: { number: string; reference: string }) => Promise<{ readonly order?: PostedOrder }>;
  /** Voiding again changes nothing. Fails, to be retried, as long as the ERP does not confirm. */
  readonly voidOrder: (args: { number: string }) => Promise<void>;
}

export function createErpActivities(dependencies: Dependencies): ErpActivities {
  const { erpUrl, giveUpAfterMs = 30_000, firstPauseMs = 1_000 } = dependencies;
  const erp = createErpClient(erpUrl);
  const posting = createPosting(erp, ORDER_TEXTS, dependencies);
  const { untilKnown } = posting;

  return {
    async readErpMode() {
      const startedAt = performance.now();
      return withHeartbeats(UNREACHABLE, () =>
        untilKnown(async () => {
          const mode = await erp.mode(cancellationSignal());
          if (mode !== undefined) return { mode };
          return performance.now() - startedAt > giveUpAfterMs ? {} : undefined;
        }),
      );
    },

    postOrder: ({ order, mode }) => posting.post(order, mode),

    async findOrder({ reference, forMs }) {
      let firstAnswerAt: number | undefined;
      return withHeartbeats(SEARCHING, async () => {
        for (;;) {
          const found = await erp.search(reference, cancellationSignal());
          const [order] = found?.filter(({ status }) => status !== 'voided') ?? [];
          if (order !== undefined) return { order };
          if (found !== undefined) firstAnswerAt ??= performance.now();
          if (found !== undefined && performance.now() - (firstAnswerAt ?? 0) >= forMs) return {};
          await sleep(firstPauseMs);
        }
      });
    },

    async readOrder({ number, reference }) {
      return withHeartbeats(SEARCHING, async () => {
        const order = await untilKnown(() => erp.read({ number, reference }, cancellationSignal()));
        return order === 'absent' ? {} : { order };
      });
    },

    voidOrder: ({ number }) => posting.void(number),
  };
}
