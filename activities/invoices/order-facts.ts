/** What the ERP knows of an order that an invoice may be for. Quantities and prices are decimal strings. */

export interface OrderFacts {
  readonly number: string;
  readonly status: 'posted' | 'draft' | 'voided';
  readonly vendor: string;
  readonly currency: string;
  readonly lines: readonly OrderFactsLine[];
}

export interface OrderFactsLine {
  readonly description: string;
  readonly sku?: string | undefined;
  readonly quantity: string;
  readonly unitPrice: string;
  /** In all receipts. */
  readonly received: string;
  /** By all invoices that stand. */
  readonly invoiced: string;
}

/** An invoice of a vendor that the ERP has. */
export interface PostedInvoiceFacts {
  readonly number: string;
  readonly vendor: string;
  readonly vendorInvoice: string;
}

/** What the match needs to know of the world. */
export interface ErpFacts {
  /** By number; what is not in it is not in the ERP. */
  readonly orders: ReadonlyMap<string, OrderFacts>;
  readonly posted: readonly PostedInvoiceFacts[];
}
