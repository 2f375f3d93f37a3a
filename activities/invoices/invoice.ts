/** What an invoice says, as it was read. Amounts are decimal strings with a point: `1234.50`, `-12.00`. */

export interface ReadInvoice {
  /** A credit note's amounts are below zero, whether it prints the sign or not. */
  readonly kind: 'invoice' | 'credit_note';
  readonly number: string;
  readonly vendor: string;
  /** The order of the buyer that it refers to. */
  readonly orderNumber?: string;
  /** `YYYY-MM-DD`. */
  readonly issuedOn?: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly lines: readonly ReadInvoiceLine[];
  readonly net?: string;
  readonly tax?: string;
  readonly total: string;
  readonly source: InvoiceSource;
}

export interface ReadInvoiceLine {
  readonly description: string;
  readonly sku?: string;
  readonly quantity: string;
  readonly unitPrice: string;
  /** As printed, not as computed: whether it is quantity times price is for the reader of this to judge. */
  readonly amount: string;
}

export interface InvoiceSource {
  /** The name of the file; of an entry of a ZIP, `a.zip/folder/b.pdf`. */
  readonly file: string;
  /** Of a CSV: the line where the invoice begins, the header being line 1. */
  readonly row?: number;
}

/** Why a file, or an invoice in it, could not be read: in words for whoever sent it. */
export interface InvoiceFault extends InvoiceSource {
  readonly message: string;
}

export interface ReadInvoices {
  readonly invoices: readonly ReadInvoice[];
  /** Beside each fault, everything else was read. */
  readonly faults: readonly InvoiceFault[];
}
