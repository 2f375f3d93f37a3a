/**
 * Invoices at the ERP, each exactly once. The ERP takes a vendor's number once, in each of its modes: so a post whose answer was
 * lost may be repeated, and meets the first one.
 */
import { activityInfo, ApplicationFailure, cancellationSignal, sleep } from '@temporalio/activity';
import Big from 'big.js';
import { oneLine } from '../../protocol/one-line.ts';
import { TOOL_FAILURE } from '../../protocol/task-failure.ts';
import { withHeartbeats } from '../attempt.ts';
import type { ErpClient, ErpDocument } from '../erp-client.ts';
import type { Posting } from '../erp-posting.ts';
import { INVOICE_TEXTS } from '../erp-texts.ts';
import type { PostedOrder } from '../order-draft.ts';
import type { FactReader } from './erp-facts.ts';
import type { MatchedInvoice } from './match-result.ts';
import type { InvoiceOutcome } from './outcome.ts';

interface Parts {
  readonly erp: ErpClient;
  readonly posting: Posting;
  readonly facts: FactReader;
  /** How long the search for an invoice of unknown outcome goes on; longer than the search lags. */
  readonly lookForMs: number;
}

const MAX_DESCRIPTION_CHARS = 200;
const LOOK_EVERY_MS = 1_000;

export function referenceOf(taskId: string, index: number): string {
  return `${taskId}:invoice-${String(index)}`;
}

export interface InvoicePoster {
  post(taskId: string, invoices: readonly MatchedInvoice[]): Promise<InvoiceOutcome[]>;
  /** Voids what stands of `outcomes`: by its number, or found by its reference where none is known. */
  takeBack(taskId: string, outcomes: readonly InvoiceOutcome[]): Promise<void>;
}

export function createInvoicePoster({ erp, posting, facts, lookForMs }: Parts): InvoicePoster {
  /** Why it may no longer be posted: somebody else has invoiced the same lines since it was matched. */
  async function staleText(
    taskId: string,
    { order = '', invoicedAtErp = {} }: MatchedInvoice,
  ): Promise<string | undefined> {
    const now = await facts.invoicedOn(order, `${taskId}:`);
    const isMore = Object.entries(invoicedAtErp).some(([line, before]) =>
      (now.get(Number(line)) ?? new Big(0)).gt(before),
    );
    return isMore ? `Order ${order} was invoiced meanwhile: match it again in a new call` : undefined;
  }

  /** Why it is not sent, if it is not. */
  async function reasonAgainst(taskId: string, invoice: MatchedInvoice): Promise<string | undefined> {
    try {
      return await staleText(taskId, invoice);
    } catch (error) {
      // The facts say so in words about a whole call.
      if (isToolFailure(error)) return UNREACHABLE;
      throw error;
    }
  }

  async function postOne(taskId: string, invoice: MatchedInvoice): Promise<InvoiceOutcome> {
    const { index } = invoice;
    const reference = referenceOf(taskId, index);
    // An earlier attempt may have sent it and died before it could say so: nothing that is so now speaks against it then.
    const isRepeated = activityInfo().attempt > 1;
    const sent = isRepeated ? await posting.untilKnown(() => erp.search(reference, cancellationSignal())) : undefined;
    const standing = sent?.find(isStanding);
    if (standing !== undefined) return { index, kind: 'posted', erpNumber: standing.number };
    const unknown = { index, kind: 'unknown', note: unknownNote(reference) } as const;
    const note = await reasonAgainst(taskId, invoice);
    if (note !== undefined) return isRepeated ? unknown : { index, kind: 'failed', note };
    const outcome = await posting.post(documentOf(invoice, reference), 'by-its-content');
    switch (outcome.kind) {
      case 'posted':
        if (isStanding(outcome.order)) return { index, kind: 'posted', erpNumber: outcome.order.number };
        return { index, kind: 'failed', note: 'It was voided in the ERP' };
      case 'unreachable':
      case 'not-sent':
        return { index, kind: 'failed', note: UNREACHABLE };
      case 'unknown':
        return unknown;
    }
  }

  async function find(reference: string): Promise<string | undefined> {
    const endsAt = performance.now() + lookForMs;
    for (;;) {
      const found = await erp.search(reference, cancellationSignal());
      const standing = found?.find(isStanding);
      if (standing !== undefined) return standing.number;
      if (found !== undefined && performance.now() > endsAt) return undefined;
      await sleep(LOOK_EVERY_MS);
    }
  }

  return {
    async post(taskId, invoices) {
      return withHeartbeats(INVOICE_TEXTS.sending, async () => {
        const outcomes: InvoiceOutcome[] = [];
        for (const invoice of invoices) {
          // Who has waited for the ERP once need not do so for each of the others.
          const isAway = outcomes.at(-1)?.note === UNREACHABLE;
          outcomes.push(
            isAway
              ? { index: invoice.index, kind: 'failed', note: UNREACHABLE }
              : await orRefused(invoice.index, () => postOne(taskId, invoice)),
          );
        }
        return outcomes;
      });
    },

    async takeBack(taskId, outcomes) {
      await withHeartbeats(INVOICE_TEXTS.voiding, async () => {
        for (const { index, kind, erpNumber } of outcomes) {
          const number = erpNumber ?? (kind === 'unknown' ? await find(referenceOf(taskId, index)) : undefined);
          if (number !== undefined) await posting.void(number);
        }
      });
    },
  };
}

const UNREACHABLE = 'The ERP could not be reached: call again later';

async function orRefused(index: number, run: () => Promise<InvoiceOutcome>): Promise<InvoiceOutcome> {
  try {
    return await run();
  } catch (error) {
    if (!isToolFailure(error)) throw error;
    return { index, kind: 'failed', note: oneLine(error.message, 200) };
  }
}

function isToolFailure(error: unknown): error is ApplicationFailure {
  return error instanceof ApplicationFailure && error.type === TOOL_FAILURE;
}

function isStanding({ status }: PostedOrder): boolean {
  return status !== 'voided';
}

function unknownNote(reference: string): string {
  return `Look in the ERP for reference ${reference}: it gave no clear answer`;
}

function documentOf(invoice: MatchedInvoice, reference: string): ErpDocument {
  const { order, vendor, number, issuedOn, currency, total, lines } = invoice;
  const document = {
    reference,
    order,
    vendor,
    vendorInvoice: number,
    ...(issuedOn === undefined ? {} : { issuedOn }),
    currency,
    total,
    lines: lines.map(({ orderLine, description, quantity, unitPrice, amount }) => ({
      ...(orderLine === undefined ? {} : { line: orderLine }),
      description: oneLine(description, MAX_DESCRIPTION_CHARS),
      quantity,
      unitPrice,
      amount,
    })),
  };
  return document;
}
