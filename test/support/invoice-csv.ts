/** Invoices as a vendor's CSV, as small as it gets. */
import type { ReadInvoice } from '../../activities/invoices/invoice.ts';

const HEADER = 'invoice_number,vendor,order_number,currency,description,quantity,unit_price,amount,total';

/** Without SKU, net, tax and date; nothing in it may need quotes. */
export function invoiceCsv(invoices: readonly ReadInvoice[]): string {
  const records = invoices.flatMap(({ number, vendor, orderNumber = '', currency, total, lines }) =>
    lines.map(({ description, quantity, unitPrice, amount }) =>
      [number, vendor, orderNumber, currency, description, quantity, unitPrice, amount, total].join(','),
    ),
  );
  return `${[HEADER, ...records].join('\n')}\n`;
}
