/**
 * One order at the ERP, exactly once, whatever crashes, and none when the task is cancelled.
 *
 * Where the ERP tells a repeated post from a new one, the activity is retried until the outcome is known. Where it does
 * not, the post is sent once; if nobody can say what became of it, it is looked for, well beyond the search's delay, and
 * then a person is asked. Only the person's word sends it again.
 */
import { ActivityFailure, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { OrderToPost, PostOutcome } from '../activities/erp.ts';
import type { PostedOrder } from '../activities/order-draft.ts';
import { choice, optional, text } from '../protocol/form.ts';
import { elicitOrFail } from './elicit-or-fail.ts';
import { isToolFailure } from './is-tool-failure.ts';
import { toolFailure, type TaskContext } from './tool.ts';

const untilDone = { initialInterval: '1 second', maximumInterval: '5 seconds' } as const;

const { readErpMode } = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '5 seconds',
  retry: untilDone,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Ask the ERP how it takes orders',
});
const repeatable = proxyActivities<Activities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '5 seconds',
  retry: untilDone,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Post the order to the ERP',
});
const once = proxyActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { maximumAttempts: 1 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Post the order to the ERP, once',
});
const { findOrder, readOrder } = proxyActivities<Activities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '5 seconds',
  retry: untilDone,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Look for the order in the ERP',
});
const { voidOrder } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '5 seconds',
  retry: untilDone,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Void the order in the ERP',
});

/** Well beyond the three seconds by which the slowest search lags. */
const LOOK_MS = 12_000;
/** Nobody looks after this, so it is longer. */
const LAST_LOOK_MS = 20_000;
const MAX_ROUNDS = 10;

/** What is known of one post. */
interface Posting {
  kind: PostOutcome['kind'];
  order?: PostedOrder;
  /** A person has looked and has not found it. */
  isRuledOut?: boolean;
}

/** @throws ToolFailure when nothing was ordered, or when it stays unknown whether something was */
export async function postExactlyOnce(task: TaskContext, draft: Omit<OrderToPost, 'reference'>): Promise<PostedOrder> {
  const order = { ...draft, reference: `${task.id}:post-order` };
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const { mode } = await task.step('Reach the ERP', readErpMode);
    if (mode === undefined) throw toolFailure(NOTHING_ORDERED);
    const posting = await task.effect(
      'Post the order to the ERP',
      () => (mode === 'search-only' ? postOnce(order) : repeatable.postOrder({ order, mode })).then(lookedFor(order)),
      (made) => takeBack(task, made, order.reference),
      ({ order: made }) => made?.number,
    );
    if (posting.kind === 'unreachable') throw toolFailure(NOTHING_ORDERED);
    if (posting.kind === 'unknown') await learnFromPerson(task, posting, order.reference);
    if (posting.order?.status === 'voided') throw toolFailure(VOIDED_BEFORE);
    if (posting.order !== undefined) return posting.order;
  }
  throw toolFailure(NOTHING_ORDERED);
}

const NOTHING_ORDERED =
  'The ERP could not be reached; nothing was ordered. Call again later, with a new idempotency key.';

const VOIDED_BEFORE =
  'The order under this idempotency key was voided before; nothing was ordered. Call again with a new idempotency key.';

async function postOnce(order: OrderToPost): Promise<PostOutcome> {
  try {
    return await once.postOrder({ order, mode: 'search-only' });
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isToolFailure(error.cause)) throw error;
    // The attempt was lost with its worker. Cancellation does not come here: an effect is shielded from it.
    return { kind: 'unknown' };
  }
}

function lookedFor({ reference }: OrderToPost): (outcome: PostOutcome) => Promise<Posting> {
  return async (outcome) => {
    if (outcome.kind !== 'unknown') return { ...outcome };
    const { order } = await findOrder({ reference, forMs: LOOK_MS });
    return order === undefined ? { kind: 'unknown' } : { kind: 'posted', order };
  };
}

/** Returns with the order, or with the person's word that it is not there and shall be sent again. */
async function learnFromPerson(task: TaskContext, posting: Posting, reference: string): Promise<void> {
  let complaint = '';
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const reply = await ask(task, reference, complaint);
    if (reply.action !== 'accept') throw toolFailure(lookYourself(reference));
    const { inErp, orderNumber } = reply.content;
    if (inErp !== 'found') {
      posting.isRuledOut = true;
      if (inErp === 'send-again') return;
      throw toolFailure(
        `The order with reference ${reference} was not found in the ERP and was not sent again. ` +
          'Should it show up there later, void it.',
      );
    }
    const { order } = await task.step('Look for the order in the ERP', () =>
      orderNumber === undefined
        ? findOrder({ reference, forMs: LOOK_MS })
        : readOrder({ number: orderNumber.trim(), reference }),
    );
    posting.order = order;
    if (order !== undefined) return;
    complaint =
      orderNumber === undefined
        ? 'The ERP does not show it to this server yet; give its order number. '
        : 'The ERP has no order with this number under this reference. ';
  }
  throw toolFailure(lookYourself(reference));
}

async function ask(
  task: TaskContext,
  reference: string,
  complaint: string,
): ReturnType<typeof task.elicit<ReturnType<typeof lookingForm>>> {
  const message =
    `${complaint}The order was sent, but the ERP did not say whether it took it. ` +
    `Is an order with reference ${reference} in the ERP?`;
  return elicitOrFail(task, { message, form: lookingForm(), otherwise: lookYourself(reference) });
}

function lookingForm() {
  return {
    inErp: choice(
      [
        { value: 'found', title: 'Yes, it is there' },
        { value: 'send-again', title: 'No, it is not there: send it again' },
        { value: 'give-up', title: 'No, it is not there: give up' },
      ],
      { title: 'What the ERP shows' },
    ),
    orderNumber: optional(text({ title: 'Order number, if it is there', maxLength: 40 })),
  };
}

function lookYourself(reference: string): string {
  return (
    `It is not known whether the ERP took the order with reference ${reference}. ` +
    'Look for it there before you order again.'
  );
}

async function takeBack(task: TaskContext, posting: Posting, reference: string): Promise<void> {
  if (posting.kind === 'not-sent' || posting.kind === 'unreachable') return;
  const order = posting.order ?? (await lookForLast(posting, reference));
  if (order !== undefined) await voidPosted(task, order.number);
}

/** Again changes nothing. @throws ToolFailure when the order stands for good */
export async function voidPosted(task: TaskContext, number: string): Promise<void> {
  await voidOrder({ number });
  task.describe({ Order: `${number} (voided)` });
}

async function lookForLast({ isRuledOut = false }: Posting, reference: string): Promise<PostedOrder | undefined> {
  const { order } = await findOrder({ reference, forMs: isRuledOut ? LOOK_MS : LAST_LOOK_MS });
  if (order === undefined && !isRuledOut) throw toolFailure(lookYourself(reference));
  return order;
}
