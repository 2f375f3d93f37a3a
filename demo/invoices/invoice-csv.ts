/** Invoices as CSV, one line of an invoice a record; what belongs to the whole invoice stands in each of them. */
import type { DemoInvoice } from './demo-invoice.ts';
import { ENGLISH, GERMAN, numberText, type Notation } from './number-text.ts';

const ENGLISH_HEADER =
  'invoice_number,vendor,order_number,issued_on,currency,description,sku,quantity,unit_price,amount,net,tax,total';
const GERMAN_HEADER =
  'Rechnungsnummer;Lieferant;Bestellnummer;Rechnungsdatum;Währung;Bezeichnung;Artikelnummer;Menge;Einzelpreis;Betrag;Netto;MwSt;Gesamtbetrag';

export function commaCsv(invoices: readonly DemoInvoice[]): string {
  return csvOf(ENGLISH_HEADER, ',', invoices, ENGLISH, (date) => date);
}

/** As a German Excel saves it: semicolons, decimal commas, a byte order mark. */
export function semicolonCsv(invoices: readonly DemoInvoice[]): string {
  return `\ufeff${csvOf(GERMAN_HEADER, ';', invoices, GERMAN, (date) => date.split('-').reverse().join('.'))}`;
}

function csvOf(
  header: string,
  separator: string,
  invoices: readonly DemoInvoice[],
  notation: Notation,
  dateText: (date: string) => string,
): string {
  const amount = (text: string): string => numberText(text, notation);
  const records = invoices.flatMap((invoice) =>
    invoice.lines.map((line) => [
      invoice.number,
      invoice.vendor,
      invoice.orderNumber ?? '',
      dateText(invoice.issuedOn),
      invoice.currency,
      line.description,
      line.sku ?? '',
      ...[line.quantity, line.unitPrice, line.amount, invoice.net, invoice.tax, invoice.total].map(amount),
    ]),
  );
  const quoted = (cell: string): string => (/[",;\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  return [header, ...records.map((cells) => cells.map(quoted).join(separator)), ''].join('\r\n');
}
