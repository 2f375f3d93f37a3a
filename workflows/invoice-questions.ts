/**
 * What the requester is asked about invoices that differ: a form each, several at once, answered in any order. In batches, so
 * that all that is open fits the memo.
 */
import type { AskedInvoice, MatchSummary } from '../activities/invoices/match-summary.ts';
import type { InvoiceOutcome } from '../activities/invoices/outcome.ts';
import { choice, elicitation, optional, text, type Answer, type ElicitReply, type Form } from '../protocol/form.ts';
import { oneLine } from '../protocol/one-line.ts';
import type { ElicitRequest } from '../protocol/task.ts';
import { isToolFailure } from './is-tool-failure.ts';
import type { TaskContext } from './tool.ts';

export interface Answered {
  /** Places of what was accepted. */
  readonly accepted: readonly number[];
  /** By place: the order that an invoice shall be matched against. */
  readonly orderNumbers: Readonly<Record<string, string>>;
  /** What is not posted, by the word of the requester or without one. */
  readonly outcomes: readonly InvoiceOutcome[];
}

/** Of the 48 KB that open questions may take. */
const MAX_BATCH_CHARS = 40_000;
const MAX_BATCH = 20;
const MAX_NOTE_CHARS = 200;
const REQUESTER = 'the requester';

const ANSWERS = {
  accept: 'Accept it as it is, and post it',
  reject: 'Reject it: it is not posted',
  hold: 'Hold it: it is not posted now',
} as const;

type Reply = ElicitReply<Answer<ReturnType<typeof formFor>>>;

/** Everybody who cannot be asked, or gives no answer of use, has decided nothing: those invoices are not posted. */
export async function askRequester(task: TaskContext, { ask, decisions }: MatchSummary): Promise<Answered> {
  const accepted: number[] = [];
  const orderNumbers: Record<string, string> = {};
  const outcomes: InvoiceOutcome[] = [];
  for (const batch of batchesOf(ask, decisions)) {
    const replies = await repliesTo(task, batch);
    for (const { invoice } of batch) {
      const { index } = invoice;
      const reply = replies[nameOf(index)] as Reply | undefined;
      const decided = decidedBy(invoice, reply);
      if (decided === 'accept') accepted.push(index);
      else if ('orderNumber' in decided) orderNumbers[String(index)] = decided.orderNumber;
      else outcomes.push({ index, ...decided });
    }
  }
  return { accepted, orderNumbers, outcomes };
}

interface Question {
  readonly invoice: AskedInvoice;
  readonly request: ElicitRequest;
}

function batchesOf(asked: readonly AskedInvoice[], decisions: MatchSummary['decisions']): readonly Question[][] {
  const batches: Question[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const invoice of asked) {
    const request = elicitation(questionText(invoice), formFor(invoice, decisions));
    const size = JSON.stringify(request).length + 100;
    const last = batches.at(-1);
    if (last === undefined || last.length >= MAX_BATCH || chars + size > MAX_BATCH_CHARS) {
      batches.push([{ invoice, request }]);
      chars = size;
    } else {
      last.push({ invoice, request });
      chars += size;
    }
  }
  return batches;
}

/** By name. Each is asked by itself, at once: one that gets no answer of use takes none from the others, and has no reply. */
async function repliesTo(
  task: TaskContext,
  batch: readonly Question[],
): Promise<Readonly<Record<string, ElicitReply<unknown>>>> {
  const replies = await Promise.all(
    batch.map(async ({ invoice, request }) => {
      const name = nameOf(invoice.index);
      try {
        return await task.ask({ [name]: request });
      } catch (error) {
        if (isToolFailure(error)) return {};
        throw error;
      }
    }),
  );
  return Object.assign({}, ...replies) as Readonly<Record<string, ElicitReply<unknown>>>;
}

function nameOf(index: number): string {
  return `invoice-${String(index)}`;
}

function questionText({ index, title, text: differences, needsOrder }: AskedInvoice): string {
  const ask = needsOrder ? 'Which order is it for?' : 'Shall it be posted all the same?';
  return `${title} (number ${index} of this call) differs.\n${differences}\n${ask}`;
}

function formFor({ needsOrder, candidates }: AskedInvoice, decisions: MatchSummary['decisions']) {
  const offered = decisions
    .filter((decision) => decision !== 'accept' || !needsOrder)
    .map((value) => ({ value, title: ANSWERS[value] }));
  const match = { value: 'match', title: 'Match it against the order below' };
  const order =
    candidates.length === 0
      ? text({ title: 'Order number', maxLength: 40 })
      : choice(candidates, { title: 'Order number' });
  const form = {
    decision: choice(needsOrder ? [match, ...offered] : offered, { title: 'What shall happen' }),
    ...(needsOrder ? { orderNumber: optional(order) } : {}),
    note: optional(text({ title: 'Why', maxLength: MAX_NOTE_CHARS })),
  } satisfies Form;
  return form as typeof form & { orderNumber: ReturnType<typeof optional<string>> };
}

function decidedBy(
  { needsOrder }: AskedInvoice,
  reply: Reply | undefined,
): 'accept' | { readonly orderNumber: string } | Omit<InvoiceOutcome, 'index'> {
  if (reply === undefined) {
    return {
      kind: 'undecided',
      note: 'It needs a decision, and nobody who called could be asked or gave an answer of use',
    };
  }
  if (reply.action !== 'accept') return { kind: 'held', note: `Not answered by ${REQUESTER}` };
  const { decision, orderNumber = '', note = '' } = reply.content;
  const why = note.trim() === '' ? '' : `: ${oneLine(note, MAX_NOTE_CHARS)}`;
  if (decision === 'accept' && !needsOrder) return 'accept';
  if (decision === 'match' && orderNumber.trim() !== '') return { orderNumber: orderNumber.trim() };
  if (decision === 'reject') return { kind: 'rejected', note: `By ${REQUESTER}${why}` };
  return { kind: 'held', note: decision === 'match' ? 'No order was named' : `By ${REQUESTER}${why}` };
}
