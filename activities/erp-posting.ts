/**
 * One document at the ERP, under a reference that is the task's, never an attempt's: whatever crashes, hangs or comes back
 * late meets the first outcome where the ERP knows one. Where it does not, a post is sent once, by an attempt that Temporal
 * has just confirmed, and its caller has to find out what became of it.
 */
import { activityInfo, ApplicationFailure, cancellationSignal, CancelledFailure, sleep } from '@temporalio/activity';
import { TOOL_FAILURE } from '../protocol/task-failure.ts';
import { confirmWithTemporal, withHeartbeats, type ConfirmAttempt } from './attempt.ts';
import type { ErpClient, ErpDocument, ErpMode, SendOutcome } from './erp-client.ts';
import type { DocumentTexts } from './erp-texts.ts';
import type { PostedOrder } from './order-draft.ts';

/** `not-sent`: certainly nothing was filed by this call. `unknown`: look for the reference, then ask a person. */
export type PostOutcome =
  | { readonly kind: 'posted'; readonly order: PostedOrder }
  | { readonly kind: 'not-sent' | 'unreachable' | 'unknown' };

export interface PostingOptions {
  readonly confirmAttempt?: ConfirmAttempt;
  /** How long a call that has sent nothing goes on trying. */
  readonly giveUpAfterMs?: number;
  /** Between the first two tries; doubles up to five seconds. */
  readonly firstPauseMs?: number;
}

const LONGEST_PAUSE_MS = 5_000;

/** What keeps a repeated post from being a second one: the ERP's mode, or in every mode the document itself. */
export type Repetition = ErpMode | 'by-its-content';

export interface Posting {
  /** Asks again and again, with growing pauses, until `attempt` has an answer. */
  readonly untilKnown: <T>(attempt: () => Promise<T | undefined>) => Promise<T>;
  /** @throws ToolFailure when the ERP refuses the document */
  post(document: ErpDocument, repetition: Repetition): Promise<PostOutcome>;
  /** Voiding again changes nothing. Fails, to be retried, as long as the ERP does not confirm. */
  void(number: string): Promise<void>;
}

export function createPosting(erp: ErpClient, texts: DocumentTexts, options: PostingOptions = {}): Posting {
  const { confirmAttempt = confirmWithTemporal, giveUpAfterMs = 30_000, firstPauseMs = 1_000 } = options;

  async function untilKnown<T>(attempt: () => Promise<T | undefined>): Promise<T> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const answer = await attempt();
      if (answer !== undefined) return answer;
      await sleep(pauseMs);
    }
  }

  /** Sends once, where sending twice would file twice. What goes wrong before that has sent nothing. */
  async function sendConfirmed(document: ErpDocument): Promise<SendOutcome> {
    const maySend = await confirmAttempt().catch(() => () => false);
    // Not abandoned when the worker stops: a post under way is worth its answer.
    return erp.send(document, { maySend });
  }

  /** Of several the one that stands goes before those that were voided. `unknown`: it cannot be told now. */
  async function filedUnder(reference: string): Promise<PostedOrder | 'unknown' | undefined> {
    const found = await erp.search(reference, cancellationSignal());
    return found === undefined ? 'unknown' : (found.find(({ status }) => status !== 'voided') ?? found[0]);
  }

  /**
   * A refusal after a post of unknown outcome says nothing about that post, and neither does a search that shows nothing:
   * it may lag, and the first post may still be under way in the ERP. Asking again would only be refused again.
   */
  async function afterRefusal(reference: string, isUnknown: boolean): Promise<PostOutcome> {
    if (!isUnknown) throw refusal(texts.refused);
    const order = await filedUnder(reference);
    return typeof order === 'object' ? { kind: 'posted', order } : { kind: 'unknown' };
  }

  async function adopt(number: string, reference: string): Promise<PostOutcome | undefined> {
    const order = await erp.read({ number, reference }, cancellationSignal());
    return order === undefined || order === 'absent' ? undefined : { kind: 'posted', order };
  }

  /** What stands in the way is ours, from a post whose answer was lost, or it keeps ours out for good. */
  async function afterDuplicate(number: string, reference: string): Promise<PostOutcome | undefined> {
    const order = await erp.read({ number, reference }, cancellationSignal());
    if (order === 'absent') throw refusal(texts.duplicate(number));
    return order === undefined ? undefined : { kind: 'posted', order };
  }

  async function post(document: ErpDocument, repetition: Repetition): Promise<PostOutcome> {
    const startedAt = performance.now();
    const isOnce = repetition === 'search-only';
    // An earlier attempt may have sent it and died before it could say so.
    let isUnknown = activityInfo().attempt > 1;

    async function outcomeOf(sent: SendOutcome): Promise<PostOutcome | undefined> {
      switch (sent.kind) {
        case 'accepted':
          return { kind: 'posted', order: sent.order };
        case 'taken':
          isUnknown = true;
          return adopt(sent.number, document.reference);
        case 'duplicate':
          isUnknown = true;
          return afterDuplicate(sent.number, document.reference);
        case 'refused':
          return afterRefusal(document.reference, isUnknown);
        case 'unknown':
          isUnknown = true;
          return isOnce ? { kind: 'unknown' } : undefined;
        case 'not-sent':
          return undefined;
      }
    }

    async function attemptOnce(say: (message: string) => void): Promise<PostOutcome | undefined> {
      const found = repetition === 'by-its-content' ? repetition : await erp.mode(cancellationSignal());
      // Somebody has set up the ERP anew: what was safe to repeat may no longer be.
      if (found !== undefined && found !== repetition) return { kind: isUnknown ? 'unknown' : 'not-sent' };
      // By a run before this one, which Temporal has forgotten or an operator has reset: the ERP itself would file it again.
      const earlier = found !== undefined && isOnce ? await filedUnder(document.reference) : undefined;
      if (typeof earlier === 'object') return { kind: 'posted', order: earlier };
      if (found !== undefined && earlier !== 'unknown') {
        const send = isOnce ? sendConfirmed(document) : erp.send(document, { signal: cancellationSignal() });
        const outcome = await outcomeOf(await send);
        if (outcome !== undefined) return outcome;
      }
      if (!isUnknown && performance.now() - startedAt > giveUpAfterMs) return { kind: 'unreachable' };
      say(isUnknown ? texts.unknown : texts.unreachable);
      return undefined;
    }

    try {
      return await withHeartbeats(texts.sending, (say) => untilKnown(() => attemptOnce(say)));
    } catch (error) {
      // The worker stops before anything was sent: said so, the one attempt is not taken for one of unknown outcome.
      if (error instanceof CancelledFailure && isOnce && !isUnknown) return { kind: 'not-sent' };
      throw error;
    }
  }

  return {
    untilKnown,
    post,
    async void(number) {
      await withHeartbeats(texts.voiding, async () => {
        const outcome = await erp.void(number, cancellationSignal());
        if (outcome === 'voided') return;
        if (outcome === undefined)
          throw ApplicationFailure.retryable('The ERP has not confirmed the void yet.', 'VoidPending');
        throw refusal(outcome === 'refused' ? texts.stands(number) : texts.lost(number));
      });
    },
  };
}

function refusal(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, TOOL_FAILURE);
}
