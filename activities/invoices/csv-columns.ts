/** The columns of a CSV of invoices, by the headers that are known. */
import { ReadFault } from './read-fault.ts';

export type CsvColumn =
  | 'number'
  | 'vendor'
  | 'orderNumber'
  | 'issuedOn'
  | 'currency'
  | 'description'
  | 'sku'
  | 'quantity'
  | 'unitPrice'
  | 'amount'
  | 'net'
  | 'tax'
  | 'total';

/** In lower case and without anything but letters. */
const HEADERS: Readonly<Record<CsvColumn, readonly string[]>> = {
  number: ['invoicenumber', 'invoiceno', 'invoice', 'rechnungsnummer', 'rechnungsnr'],
  vendor: ['vendor', 'supplier', 'lieferant'],
  orderNumber: ['ordernumber', 'purchaseorder', 'ponumber', 'po', 'bestellnummer', 'bestellung'],
  issuedOn: ['issuedon', 'invoicedate', 'date', 'rechnungsdatum', 'datum'],
  currency: ['currency', 'währung'],
  description: ['description', 'item', 'bezeichnung', 'beschreibung'],
  sku: ['sku', 'articlenumber', 'itemnumber', 'artikelnummer', 'artikelnr'],
  quantity: ['quantity', 'qty', 'menge'],
  unitPrice: ['unitprice', 'price', 'einzelpreis'],
  amount: ['amount', 'linetotal', 'betrag', 'gesamtpreis'],
  net: ['net', 'nettotal', 'netto', 'nettobetrag'],
  tax: ['tax', 'vat', 'mwst', 'steuer'],
  total: ['total', 'invoicetotal', 'gesamtbetrag', 'rechnungsbetrag'],
};
const NEEDED: readonly CsvColumn[] = [
  'number',
  'vendor',
  'currency',
  'description',
  'quantity',
  'unitPrice',
  'amount',
  'total',
];
const KNOWN =
  'invoice_number, vendor, order_number, issued_on, currency, description, sku, quantity, unit_price, amount, net, tax, total';

/** @throws ReadFault when one is unknown, twice there or missing */
export function columnsOf(header: readonly string[]): readonly CsvColumn[] {
  const columns = header.map((cell, index) => {
    const name = cell.toLowerCase().replace(/[^\p{L}]/gu, '');
    const column = (Object.keys(HEADERS) as CsvColumn[]).find((each) => HEADERS[each].includes(name));
    if (column === undefined) {
      throw new ReadFault(`Column ${String(index + 1)} of the CSV has no known header. Known are ${KNOWN}.`);
    }
    return column;
  });
  if (new Set(columns).size < columns.length) throw new ReadFault('The header of the CSV names a column twice.');
  const missing = NEEDED.filter((column) => !columns.includes(column));
  if (missing.length > 0) throw new ReadFault(`The CSV lacks columns: ${missing.join(', ')}. Known are ${KNOWN}.`);
  return columns;
}
