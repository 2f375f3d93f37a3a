/** What became of each invoice of a call. */

/**
 * `refused`: nobody may accept it. `undecided`: nobody did, in time or at all. `failed`: it was accepted, and the ERP does not
 * take it. `unknown`: it was accepted, and the ERP gives no clear answer.
 */
export type OutcomeKind = 'posted' | 'rejected' | 'held' | 'refused' | 'undecided' | 'failed' | 'unknown';

export interface InvoiceOutcome {
  /** The place of the invoice, counted from 1. */
  readonly index: number;
  readonly kind: OutcomeKind;
  /** At the ERP, when it is posted. */
  readonly erpNumber?: string;
  /** Who accepted it, or why it is not posted: one line. */
  readonly note?: string;
}
