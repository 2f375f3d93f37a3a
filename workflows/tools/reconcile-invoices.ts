import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { MatchSummary } from '../../activities/invoices/match-summary.ts';
import type { InvoiceOutcome, OutcomeKind } from '../../activities/invoices/outcome.ts';
import { approvedInvoices } from '../invoice-approval.ts';
import { postedInvoices } from '../invoice-posting.ts';
import { askRequester } from '../invoice-questions.ts';
import { writtenReport } from '../invoice-report.ts';
import { defineTool, toolResult, type TaskContext } from '../tool.ts';
import { decideWithinSeconds } from '../hurried-need.ts';

const { matchInvoiceFiles, matchAgain } = proxyActivities<Activities>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '20 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds', maximumAttempts: 10 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  summary: 'Match the invoices',
});

const DAY_MS = 86_400_000;
const MAX_FILES = 20;
/** How often order numbers may be named. */
const MAX_ROUNDS = 3;
/** What is said of those that still need one after that, and of those that do not. */
const NO_ORDER = 'Its order was not found';
const NOT_ASKED_AGAIN = 'It differs from the order that was named last: call again';

export const reconcileInvoices = defineTool({
  name: 'reconcile_invoices',
  title: 'Reconcile invoices',
  description:
    'Reads invoices from uploaded files (PDF, CSV or ZIP; upload each by POST /files first), matches every line against ' +
    'the order and the goods receipts in the ERP, asks for decisions on what differs (of the caller up to a limit, of ' +
    'approvers above it, which may take days), posts each accepted invoice exactly once, and returns a report as CSV and ' +
    'PDF. Credit notes are reported and never posted. Without an idempotencyKey, two calls are two reconciliations; the ' +
    'ERP still takes no invoice twice.',
  input: (z) =>
    z.strictObject({
      files: z
        .array(z.string().min(1).max(100))
        .min(1)
        .max(MAX_FILES)
        .describe('The fileId of each upload; 500 invoices and 5,000 lines in all'),
      decideWithinSeconds: decideWithinSeconds(z),
    }),
  output: (z) =>
    z.object({
      status: z.literal('reconciled'),
      invoices: z.int(),
      lines: z.int(),
      unreadable: z.int(),
      posted: z.int(),
      notPosted: z.int(),
      outcomes: z.array(
        z.object({
          invoice: z.int(),
          outcome: z.string(),
          erpNumber: z.string().optional(),
          note: z.string().optional(),
        }),
      ),
      approvedBy: z.array(z.string()),
      policyVersion: z.string(),
      taskId: z.string(),
    }),
  task: 'optional',
  hasEffects: true,
  ttlMs: 14 * DAY_MS,
  maxTtlMs: 90 * DAY_MS,
  summary: ({ files }) => `${files.length} ${files.length === 1 ? 'file' : 'files'}`,

  async run({ files, decideWithinSeconds }, task) {
    const owner = { caller: task.caller, taskId: task.id };
    const first = await task.step('Read and match the invoices', () =>
      matchInvoiceFiles({ owner, files, tellsFiles: true }),
    );
    task.took(first.taken ?? []);
    describe(task, first);
    const { summary, accepted: byRequester, outcomes: undone } = await decidedByRequester(task, first);
    const approval = await approvedInvoices(task, summary, decideWithinSeconds);
    const accepted = [...summary.post, ...byRequester, ...approval.accepted].sort((one, other) => one - other);
    const posted = await postedInvoices(task, summary.table, accepted);
    const refused = summary.refuse.map((index) => refusedOrWaiting(index, summary));
    const notes = notesFor(byRequester, approval.accepted, approval.approvedBy);
    const outcomes = [...posted.map((one) => ({ ...one, note: one.note ?? notes.get(one.index) }))]
      .map(({ note, ...one }): InvoiceOutcome => (note === undefined ? one : { ...one, note }))
      .concat(undone, approval.outcomes, refused)
      .sort((one, other) => one.index - other.index);
    const links = await writtenReport(task, summary.table, outcomes);
    const { counts, policyVersion } = summary;
    return toolResult(resultText(summary, outcomes, links.length > 0), {
      structured: {
        status: 'reconciled',
        invoices: counts.invoices,
        lines: counts.lines,
        unreadable: counts.unreadable,
        posted: countOf(outcomes, 'posted'),
        notPosted: outcomes.length - countOf(outcomes, 'posted'),
        outcomes: outcomes.map(({ index, kind, ...more }) => ({ invoice: index, outcome: kind, ...more })),
        approvedBy: [...approval.approvedBy],
        policyVersion,
        taskId: task.id,
      },
      links,
    });
  },
});

interface ByRequester {
  readonly summary: MatchSummary;
  readonly accepted: readonly number[];
  readonly outcomes: readonly InvoiceOutcome[];
}

/** Asks, matches anew where an order was named, and asks about what differs then. */
async function decidedByRequester(task: TaskContext, first: MatchSummary): Promise<ByRequester> {
  const owner = { caller: task.caller, taskId: task.id };
  let summary = first;
  const accepted: number[] = [];
  const outcomes: InvoiceOutcome[] = [];
  for (let round = 1; ; round += 1) {
    const isDecided = new Set([...accepted, ...outcomes.map(({ index }) => index)]);
    const ask = summary.ask.filter(({ index }) => !isDecided.has(index));
    if (round > MAX_ROUNDS) {
      outcomes.push(
        ...ask.map(({ index, needsOrder }) => {
          return { index, kind: 'undecided' as const, note: needsOrder ? NO_ORDER : NOT_ASKED_AGAIN };
        }),
      );
      return { summary, accepted, outcomes };
    }
    const answered = await askRequester(task, { ...summary, ask });
    accepted.push(...answered.accepted);
    outcomes.push(...answered.outcomes);
    const { orderNumbers } = answered;
    if (Object.keys(orderNumbers).length === 0) return { summary, accepted, outcomes };
    const { table } = summary;
    summary = await task.step('Match again with the orders that were named', () =>
      matchAgain({ owner, table, orderNumbers, accepted, declined: outcomes.map(({ index }) => index) }),
    );
    describe(task, summary);
  }
}

function describe(task: TaskContext, { counts, approve, ask }: MatchSummary): void {
  task.describe({
    Invoices: `${counts.invoices} with ${counts.lines} lines`,
    'Matched at once': String(counts.matched),
    'For the requester': String(ask.length),
    'For an approver': String(approve.length),
    ...(counts.unreadable === 0 ? {} : { Unreadable: String(counts.unreadable) }),
  });
}

/** What comes after so many questions is no worse than what comes before them. */
function refusedOrWaiting(index: number, { wait = [], whyRefused = {} }: MatchSummary): InvoiceOutcome {
  const note = whyRefused[String(index)];
  if (!wait.includes(index)) return { index, kind: 'refused', ...(note === undefined ? {} : { note }) };
  return { index, kind: 'held', note: 'Its order is not known, and there were too many questions: call again' };
}

/** By whom a difference was accepted. */
function notesFor(
  byRequester: readonly number[],
  byApprover: readonly number[],
  approvedBy: readonly string[],
): ReadonlyMap<number, string> {
  return new Map([
    ...byRequester.map((index) => [index, 'Accepted by the requester'] as const),
    ...byApprover.map((index) => [index, `Accepted by ${approvedBy.join(' and ')}`] as const),
  ]);
}

const WORDS: Readonly<Record<OutcomeKind, string>> = {
  posted: 'posted',
  rejected: 'rejected',
  held: 'held',
  refused: 'not acceptable by anybody',
  undecided: 'not decided',
  failed: 'not taken by the ERP',
  unknown: 'without a clear answer of the ERP',
};

function resultText({ counts }: MatchSummary, outcomes: readonly InvoiceOutcome[], hasReport: boolean): string {
  const parts = Object.entries(WORDS).flatMap(([kind, words]) => {
    const count = countOf(outcomes, kind as OutcomeKind);
    return count === 0 ? [] : [`${count} ${words}`];
  });
  const unreadable = counts.unreadable === 0 ? '' : ` ${counts.unreadable} could not be read.`;
  const report = hasReport
    ? ''
    : ' The report could not be stored and is missing; what was posted stands all the same.';
  return `${counts.invoices} invoices with ${counts.lines} lines: ${parts.join(', ')}.${unreadable}${report}`;
}

function countOf(outcomes: readonly InvoiceOutcome[], kind: OutcomeKind): number {
  return outcomes.filter((outcome) => outcome.kind === kind).length;
}
