/** The activities of `reconcile_invoices`. Tables stand in the blob store; a workflow carries summaries. */
import { ApplicationFailure, cancellationSignal } from '@temporalio/activity';
import { oneLine } from '../../protocol/one-line.ts';
import type { TakenFile } from '../../protocol/act.ts';
import { TOOL_FAILURE } from '../../protocol/task-failure.ts';
import type { BlobStore, FileOwner, StoredFile } from '../../store/blobs.ts';
import { withHeartbeats } from '../attempt.ts';
import { createErpClient } from '../erp-client.ts';
import { createPosting, type PostingOptions } from '../erp-posting.ts';
import { INVOICE_TEXTS } from '../erp-texts.ts';
import { approvalPaper, type ApprovalPaper } from './approval-paper.ts';
import { createFactReader, type UntilKnown } from './erp-facts.ts';
import { readInvoicePolicy } from './invoice-policy.ts';
import { matchInvoices } from './match-invoices.ts';
import { summaryOf, type MatchSummary } from './match-summary.ts';
import { invoicesAt, loadTable, storeTable, type MatchTable, type TableRef } from './match-table.ts';
import type { InvoiceOutcome } from './outcome.ts';
import { createInvoicePoster } from './post-invoices.ts';
import { writeReport } from './report.ts';
import type { DecidedBefore } from './routing.ts';
import { readUploaded, type InvoiceSources } from './uploaded-invoices.ts';

interface Dependencies extends PostingOptions {
  readonly blobs: BlobStore;
  readonly sources: InvoiceSources;
  readonly erpUrl: string;
  /** Read at each match. */
  readonly policyFile: string;
  readonly lookForMs?: number;
}

interface OfTable {
  readonly owner: FileOwner;
  readonly table: TableRef;
}

export interface InvoiceActivities {
  /** @throws ToolFailure when a file is not there, nothing can be read, or it is too much */
  matchInvoiceFiles(args: {
    owner: FileOwner;
    files: readonly string[];
    /** `taken` is wanted. Absent: by a run of before there was one, whose history may know of no act that follows from it. */
    tellsFiles?: true;
  }): Promise<MatchSummary & { readonly taken?: readonly TakenFile[] }>;
  /** Once more, where a person has named the order. `orderNumbers`: by the place of the invoice. */
  matchAgain(args: OfTable & DecidedBefore & { orderNumbers: Readonly<Record<string, string>> }): Promise<MatchSummary>;
  /** What an approver of these invoices is shown. `name`: of the PDF, if there has to be one. */
  prepareInvoiceApproval(
    args: OfTable & { indexes: readonly number[]; datedAt: string; name: string },
  ): Promise<ApprovalPaper>;
  postInvoices(args: OfTable & { indexes: readonly number[] }): Promise<readonly InvoiceOutcome[]>;
  /** Voiding again changes nothing. Fails, to be retried, as long as the ERP does not confirm. */
  voidInvoices(args: OfTable & { outcomes: readonly InvoiceOutcome[] }): Promise<void>;
  writeInvoiceReport(
    args: OfTable & { outcomes: readonly InvoiceOutcome[]; datedAt: string },
  ): Promise<{ csv: StoredFile; pdf: StoredFile }>;
}

const UNREACHABLE =
  'The ERP could not be reached; no invoice was matched or posted. Call again later, with a new idempotency key.';

export function createInvoiceActivities(dependencies: Dependencies): InvoiceActivities {
  const { blobs, sources, erpUrl, policyFile, giveUpAfterMs = 30_000, lookForMs = 20_000 } = dependencies;
  const erp = createErpClient(erpUrl, 'invoices');
  const posting = createPosting(erp, INVOICE_TEXTS, dependencies);
  const facts = createFactReader(erpUrl, untilKnownOrAway());
  const poster = createInvoicePoster({ erp, posting, facts, lookForMs });

  /** @throws ToolFailure when the ERP stays away */
  function untilKnownOrAway(): UntilKnown {
    return async (attempt) => {
      const startedAt = performance.now();
      const { answer } = await posting.untilKnown(async () => {
        const known = await attempt();
        if (known !== undefined) return { answer: known };
        if (performance.now() - startedAt <= giveUpAfterMs) return undefined;
        throw ApplicationFailure.nonRetryable(UNREACHABLE, TOOL_FAILURE);
      });
      return answer;
    };
  }

  async function matched(
    owner: FileOwner,
    { read, faults }: Pick<MatchTable, 'read' | 'faults'>,
    again?: { known: MatchTable; orderNumbers: Readonly<Record<string, string>>; before: DecidedBefore },
  ): Promise<MatchSummary> {
    const policy = await readInvoicePolicy(policyFile);
    const orderNumbers = again?.orderNumbers ?? {};
    const known = again?.known.invoices ?? [];
    const wanted = Object.values(orderNumbers).map((number) => number.trim());
    const erpFacts = await facts.factsFor(read, wanted);
    const invoices = matchInvoices(read, erpFacts, policy, { known, orderNumbers });
    const table: MatchTable = { policyVersion: policy.version, read, faults, invoices };
    return summaryOf(table, await storeTable(blobs, owner, table), policy, again?.before ?? {});
  }

  return {
    matchInvoiceFiles: ({ owner, files, tellsFiles = false }) =>
      withHeartbeats('Reading the invoices', async (say) => {
        const { taken, invoices, faults } = await readUploaded(sources, owner.caller, files, {
          onFile: (name) => say(`Reading the invoices: ${oneLine(name, 80)}`),
          signal: cancellationSignal(),
        });
        say('Matching the invoices against orders and receipts');
        const summary = await matched(owner, { read: invoices, faults });
        return tellsFiles ? { ...summary, taken } : summary;
      }),
    matchAgain: ({ owner, table, orderNumbers, ...before }) =>
      withHeartbeats('Matching the invoices against orders and receipts', async () => {
        const known = await loadTable(blobs, owner, table);
        return matched(owner, known, { known, orderNumbers, before });
      }),
    prepareInvoiceApproval: ({ owner, table, indexes, datedAt, name }) =>
      withHeartbeats('Writing down what differs', async () => {
        const whole = await loadTable(blobs, owner, table);
        const { policyVersion } = whole;
        return approvalPaper(blobs, { owner, invoices: invoicesAt(whole, indexes), policyVersion, datedAt, name });
      }),
    postInvoices: async ({ owner, table, indexes }) =>
      poster.post(owner.taskId, invoicesAt(await loadTable(blobs, owner, table), indexes)),
    voidInvoices: ({ owner, outcomes }) => poster.takeBack(owner.taskId, outcomes),
    writeInvoiceReport: ({ owner, table, outcomes, datedAt }) =>
      withHeartbeats('Writing the report', async () =>
        writeReport(blobs, owner, { table: await loadTable(blobs, owner, table), outcomes, datedAt }),
      ),
  };
}
