/**
 * The vendor learns of an order by mail, once it is placed and its PDF is written.
 *
 * What is taken back after that is first voided in the ERP, which knows whether goods have come, and then cancelled by a second
 * mail: a vendor is never told of a cancellation that the ERP refuses.
 */
import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { PostedOrder } from '../activities/order-draft.ts';
import type { MailOutcome, VendorLetter } from '../activities/order-mail.ts';
import type { ApprovedOrder } from './order-approval.ts';
import { voidPosted } from './order-posting.ts';
import { toolFailure, type TaskContext } from './tool.ts';

const untilGivenUp = { initialInterval: '1 second', maximumInterval: '10 seconds' } as const;

const { mailOrder } = proxyActivities<Activities>({
  // The activity gives up by itself, and much earlier.
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '5 seconds',
  retry: untilGivenUp,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Mail the order to the vendor',
});
const { mailCancellation } = proxyActivities<Activities>({
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '5 seconds',
  retry: untilGivenUp,
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Tell the vendor of the cancellation',
});

/** `lost`: nobody knows how far it came. */
export type VendorTold =
  | MailOutcome
  | { readonly kind: 'lost' }
  | { readonly kind: 'no-address' | 'no-server' | 'no-paper' };

interface Placed {
  readonly approved: ApprovedOrder;
  readonly posted: PostedOrder;
  /** `undefined`: the PDF could not be stored. */
  readonly fileName: string | undefined;
}

export async function tellVendor(task: TaskContext, { approved, posted, fileName }: Placed): Promise<VendorTold> {
  const { order, verdict } = approved;
  const route = verdict.orderMail ?? { none: 'no-address' };
  if ('none' in route) return { kind: route.none };
  if (fileName === undefined) return { kind: 'no-paper' };
  const { vendor, total, currency, neededBy } = order;
  const letter: VendorLetter = {
    to: route.to,
    owner: { caller: task.caller, taskId: task.id },
    order: { number: posted.number, vendor, total, currency, neededBy },
  };
  const told = await task.effect(
    'Mail the order to the vendor',
    () => mailOrder({ ...letter, fileName }).catch(lost),
    (outcome) => cancelAtVendor(task, letter, outcome),
    (outcome) => ('messageId' in outcome ? outcome.messageId : undefined),
  );
  task.describe({ 'Vendor told': toldText(told) });
  return told;
}

export function toldText(told: VendorTold): string {
  switch (told.kind) {
    case 'sent':
      return 'The vendor was told by mail.';
    case 'no-address':
      return 'The vendor was not told by mail: the purchase policy has no address for it.';
    case 'no-server':
    case 'off':
      return 'The vendor was not told by mail: no mail server is set up.';
    case 'no-paper':
      return 'The vendor was not told by mail, because there is no PDF to send.';
    case 'refused':
      return 'The vendor was not told: the mail server refused the mail for good. Send the order to the vendor yourself.';
    case 'unreachable':
      return 'The vendor was not told: the mail server could not be reached. Send the order to the vendor yourself.';
    case 'unknown':
    case 'lost':
      return 'It is not known whether the mail with the order reached the vendor. Ask there before you send it yourself.';
  }
}

/** For whoever reads the result by a program. */
export function vendorMailOf(told: VendorTold): 'sent' | 'not_sent' | 'unknown' {
  if (told.kind === 'sent') return 'sent';
  return told.kind === 'unknown' || told.kind === 'lost' ? 'unknown' : 'not_sent';
}

async function cancelAtVendor(task: TaskContext, letter: VendorLetter, told: VendorTold): Promise<void> {
  if (vendorMailOf(told) === 'not_sent') return;
  const { number, vendor } = letter.order;
  await voidPosted(task, number);
  const cancelled = await mailCancellation(letter).catch(lost);
  if (cancelled.kind === 'sent') return;
  throw toolFailure(
    `Order ${number} is voided in the ERP, but it is not sure that ${vendor} could be told by mail. ` +
      'Tell them that nothing shall be delivered.',
  );
}

/** The order stands, whatever became of the mail. */
function lost(error: unknown): { readonly kind: 'lost' } {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
  return { kind: 'lost' };
}
