/**
 * The ERP's activities. An order is sent under a reference that is the task's, never an attempt's, so that whatever
 * crashes, hangs or comes back late meets the first outcome where the ERP knows one (`idempotency-key`,
 * `unique-reference`). Where it does not (`search-only`), a post is sent once, by an attempt that Temporal has just
 * confirmed, and its caller has to find out what became of it.
 */
import { activityInfo, ApplicationFailure, cancellationSignal, CancelledFailure, sleep } from '@temporalio/activity';
import { TOOL_FAILURE } from '../protocol/task-failure.ts';
import { confirmWithTemporal, withHeartbeats, type ConfirmAttempt } from './attempt.ts';
import { createErpClient, type ErpMode, type OrderToPost, type SendOutcome } from './erp-client.ts';
import { REFUSED, SEARCHING, SENDING, UNKNOWN, UNREACHABLE, VOIDING } from './erp-texts.ts';
import type { PostedOrder } from './order-draft.ts';

export type { ErpMode, OrderToPost } from './erp-client.ts';

/** `not-sent`: certainly nothing was ordered by this call. `unknown`: look for the reference. */
export type PostOutcome =
  { readonly kind: 'posted'; readonly order: PostedOrder } | { readonly kind: 'not-sent' | 'unreachable' | 'unknown' };

interface Dependencies {
  readonly erpUrl: string;
  readonly confirmAttempt?: ConfirmAttempt;
  /** How long a call that has sent nothing goes on trying. */
  readonly giveUpAfterMs?: number;
  /** Between the first two tries; doubles up to five seconds. */
  readonly firstPauseMs?: number;
}

const LONGEST_PAUSE_MS = 5_000;

export interface ErpActivities {
  /** No mode: the ERP could not be reached. */
  readonly readErpMode: () => Promise<{ readonly mode?: ErpMode }>;
  /**
   * Goes on until the outcome is known, for as long as it takes, unless certainly nothing was sent. In `search-only` an
   * unknown outcome is the answer.
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
  const { erpUrl, confirmAttempt = confirmWithTemporal, giveUpAfterMs = 30_000, firstPauseMs = 1_000 } = dependencies;
  const erp = createErpClient(erpUrl);

  /** Asks again and again, with growing pauses, until `attempt` has an answer. */
  async function untilKnown<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const answer = await attempt();
      if (answer !== undefined) return answer;
      await sleep(pauseMs);
    }
  }

  /** Sends once, where sending twice would order twice. What goes wrong before that has sent nothing. */
  async function sendConfirmed(order: OrderToPost): Promise<SendOutcome> {
    const maySend = await confirmAttempt().catch(() => () => false);
    // Not abandoned when the worker stops: a post under way is worth its answer.
    return erp.send(order, { maySend });
  }

  /** A refusal after a post of unknown outcome says nothing about that post. */
  async function afterRefusal(reference: string, isUnknown: boolean): Promise<PostOutcome | undefined> {
    if (!isUnknown) throw ApplicationFailure.nonRetryable(REFUSED, TOOL_FAILURE);
    const found = await erp.search(reference, cancellationSignal());
    if (found === undefined) return undefined;
    const [order] = found;
    if (order === undefined) throw ApplicationFailure.nonRetryable(REFUSED, TOOL_FAILURE);
    return { kind: 'posted', order };
  }

  async function adopt(number: string, reference: string): Promise<PostOutcome | undefined> {
    const order = await erp.read({ number, reference }, cancellationSignal());
    return order === undefined || order === 'absent' ? undefined : { kind: 'posted', order };
  }

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

    async postOrder({ order, mode }) {
      const startedAt = performance.now();
      // An earlier attempt may have sent the order and died before it could say so.
      let isUnknown = activityInfo().attempt > 1;

      async function outcomeOf(sent: SendOutcome): Promise<PostOutcome | undefined> {
        switch (sent.kind) {
          case 'accepted':
            return { kind: 'posted', order: sent.order };
          case 'taken':
            isUnknown = true;
            return adopt(sent.number, order.reference);
          case 'refused':
            return afterRefusal(order.reference, isUnknown);
          case 'unknown':
            isUnknown = true;
            return mode === 'search-only' ? { kind: 'unknown' } : undefined;
          case 'not-sent':
            return undefined;
        }
      }

      async function attemptOnce(say: (message: string) => void): Promise<PostOutcome | undefined> {
        const found = await erp.mode(cancellationSignal());
        // Somebody has set up the ERP anew: what was safe to repeat may no longer be.
        if (found !== undefined && found !== mode) return { kind: isUnknown ? 'unknown' : 'not-sent' };
        if (found !== undefined) {
          const send =
            mode === 'search-only' ? sendConfirmed(order) : erp.send(order, { signal: cancellationSignal() });
          const outcome = await outcomeOf(await send);
          if (outcome !== undefined) return outcome;
        }
        if (!isUnknown && performance.now() - startedAt > giveUpAfterMs) return { kind: 'unreachable' };
        say(isUnknown ? UNKNOWN : UNREACHABLE);
        return undefined;
      }

      try {
        return await withHeartbeats(SENDING, (say) => untilKnown(() => attemptOnce(say)));
      } catch (error) {
        // The worker stops before anything was sent: said so, the one attempt is not taken for one of unknown outcome.
        if (error instanceof CancelledFailure && mode === 'search-only' && !isUnknown) return { kind: 'not-sent' };
        throw error;
      }
    },

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

    async voidOrder({ number }) {
      await withHeartbeats(VOIDING, async () => {
        const outcome = await erp.void(number, cancellationSignal());
        if (outcome === 'voided') return;
        if (outcome === undefined)
          throw ApplicationFailure.retryable('The ERP has not confirmed the void yet.', 'VoidPending');
        throw ApplicationFailure.nonRetryable(
          `The ERP no longer knows order ${number}. Ask the purchasing department to void it by hand.`,
          TOOL_FAILURE,
        );
      });
    },
  };
}
