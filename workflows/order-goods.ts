/**
 * The task lives on until the goods have come, or the time for it is over.
 *
 * The ERP is asked at intervals that grow with the time waited, up to six hours: sixty days are some 350 looks of about a dozen events,
 * well within one history.
 */
import { ActivityFailure, isCancellation, proxyActivities, sleep } from '@temporalio/workflow';
import type { GoodsReceipt } from '../activities/erp-receipts.ts';
import type { GoodsStatus, ReceiptList } from '../activities/goods.ts';
import type { Activities } from '../activities/index.ts';
import { oneLine } from '../protocol/one-line.ts';
import { toolFailure, type TaskContext } from './tool.ts';

const { lookForGoods } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  cancellationType: 'TRY_CANCEL',
  summary: 'Look for goods in the ERP',
});
const { readReceipts } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  scheduleToCloseTimeout: '5 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
  cancellationType: 'TRY_CANCEL',
  summary: 'Read the goods receipts in the ERP',
});

const DAY_MS = 86_400_000;
/** The task has to say how it ended before its own deadline, which would take the order back. */
const MARGIN_MS = 3_600_000;
const SHORTEST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
const PAUSE_SHARE = 0.1;
const MAX_REFERENCE_CHARS = 200;

export interface GoodsOutcome {
  /** `waited`: the time was over before all had come. */
  readonly kind: 'complete' | 'voided' | 'waited';
  /** As of the last answer of the ERP. */
  readonly status: GoodsStatus | undefined;
  readonly receipts: readonly GoodsReceipt[];
  /** The ERP could not be asked in the end. */
  readonly isStale: boolean;
  readonly leftOut: number;
}

export async function awaitGoods(task: TaskContext, number: string, days: number): Promise<GoodsOutcome> {
  const startedAt = Date.now();
  const endsAt = Math.min(startedAt + days * DAY_MS, task.extend((days + 1) * DAY_MS) - MARGIN_MS);
  let status: GoodsStatus | undefined;
  for (;;) {
    const look = await lookForGoods({ number });
    status = look.status ?? status;
    const remainingMs = endsAt - Date.now();
    if (status?.isComplete === true || status?.isVoided === true || remainingMs <= 0) break;
    task.report(waitingText(number, status, endsAt));
    task.describe({ Goods: receivedText(status) });
    const pauseMs = Math.max((Date.now() - startedAt) * PAUSE_SHARE, SHORTEST_PAUSE_MS);
    await sleep(Math.min(Math.floor(pauseMs), LONGEST_PAUSE_MS, remainingMs), { summary: 'Next look for goods' });
  }
  const found = await task.effect(
    'Read the goods receipts',
    () => readReceipts({ number }).catch(unread),
    async (list) => {
      if (numbersOf(list) !== '') throw toolFailure(`Goods have come for order ${number} (${numbersOf(list)}).`);
    },
    (list) => (numbersOf(list) === '' ? undefined : numbersOf(list)),
  );
  task.describe({ Goods: receivedText(status) });
  const { receipts = [], leftOut = 0 } = found ?? {};
  return { kind: kindOf(status), status, receipts, isStale: found === undefined, leftOut };
}

function kindOf(status: GoodsStatus | undefined): GoodsOutcome['kind'] {
  if (status?.isVoided === true) return 'voided';
  return status?.isComplete === true ? 'complete' : 'waited';
}

/** The order stands, whether or not the ERP can be asked. */
function unread(error: unknown): undefined {
  if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
}

export function goodsText({ kind, status, isStale }: GoodsOutcome): string {
  switch (kind) {
    case 'complete':
      return `All goods have come: ${receivedText(status)}.`;
    case 'voided':
      return 'Nothing more will come: the order was voided in the ERP meanwhile.';
    case 'waited': {
      if (status === undefined) return 'It is not known what has come: the ERP could not be asked.';
      const stale = isStale ? ' The ERP could not be asked in the end: more may have come.' : '';
      return `Not all goods came in the time that was set: ${receivedText(status)}.${stale}`;
    }
  }
}

function waitingText(number: string, status: GoodsStatus | undefined, endsAt: number): string {
  const until = `${new Date(endsAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return `Order ${number} is posted; waiting for the goods, ${receivedText(status)}, until ${until}`;
}

function receivedText(status: GoodsStatus | undefined): string {
  return status === undefined ? 'receipts not known yet' : `${status.received} of ${status.ordered} units received`;
}

function numbersOf(list: ReceiptList | undefined): string {
  return oneLine((list?.receipts ?? []).map(({ number }) => number).join(', '), MAX_REFERENCE_CHARS);
}
