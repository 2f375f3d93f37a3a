/** An order as it is worked out before the ERP sees it. Amounts and quantities are decimal strings. */

export interface OrderDraft {
  readonly vendor: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly lines: readonly DraftLine[];
  /** The sum of the lines' amounts, with exactly the decimals that the currency has. */
  readonly total: string;
  readonly costCentre?: string;
  /** A code of the purchase policy. */
  readonly category?: string;
  /** `YYYY-MM-DD`. */
  readonly neededBy?: string;
  readonly justification?: string;
}

export interface DraftLine {
  readonly description: string;
  readonly sku?: string;
  readonly quantity: string;
  readonly unitPrice: string;
  /** Quantity times price, rounded half up to the currency's decimals. */
  readonly amount: string;
}

/** An order that the ERP has accepted. */
export interface PostedOrder {
  readonly number: string;
  readonly status: 'posted' | 'draft' | 'voided';
  /** ISO 8601. */
  readonly acceptedAt: string;
}
