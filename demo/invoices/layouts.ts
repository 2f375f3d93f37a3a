/** Invoices on paper, each as another house writes them. */
import { createRequire } from 'node:module';
import type { DemoInvoice, DemoLine, PdfLayout } from './demo-invoice.ts';
import { dateText, ENGLISH, FRENCH, GERMAN, numberText, SWISS, type Notation } from './number-text.ts';
import { Sheet, type SheetColumn } from './sheet.ts';

const { resolve: fontFile } = createRequire(import.meta.url);
const HELVETICA = { plain: 'Helvetica', bold: 'Helvetica-Bold' };
const TIMES = { plain: 'Times-Roman', bold: 'Times-Bold' };
const DEJAVU = {
  plain: fontFile('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: fontFile('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};
const RIGHT = 545;

const LAYOUTS: Readonly<Record<PdfLayout, (invoice: DemoInvoice) => Promise<Buffer>>> = {
  classic: drawClassic,
  plain: drawPlain,
  german: drawGerman,
  swiss: drawSwiss,
  long: drawLong,
  credit: (invoice) => drawClassic(withoutSigns(invoice)),
  'credit-german': (invoice) => drawGerman(withoutSigns(invoice)),
};

/** The same bytes for the same invoice. */
export function drawInvoice(invoice: DemoInvoice): Promise<Buffer> {
  return LAYOUTS[invoice.layout as PdfLayout](invoice);
}

/** Some houses print a credit note without a single minus. */
function withoutSigns(invoice: DemoInvoice): DemoInvoice {
  const { lines, net, tax, total } = invoice;
  const plain = (amount: string): string => amount.replace('-', '');
  return {
    ...invoice,
    lines: lines.map((line) => ({ ...line, quantity: plain(line.quantity), amount: plain(line.amount) })),
    net: plain(net),
    tax: plain(tax),
    total: plain(total),
  };
}

const column = (title: string, left: number, width: number, align: SheetColumn['align'] = 'left'): SheetColumn => ({
  title,
  left,
  width,
  align,
});

function cells(lines: readonly DemoLine[], notation: Notation, of: (line: DemoLine) => readonly string[]): string[][] {
  return lines.map((line) => {
    const numbers = [line.quantity, line.unitPrice, line.amount].map((amount) => numberText(amount, notation));
    return [...of(line), ...numbers];
  });
}

/** The name in large letters on the left, what it is about on the right. */
async function drawClassic(invoice: DemoInvoice): Promise<Buffer> {
  const { kind, vendor, address, number, orderNumber, issuedOn, currency, taxRate, lines, net, tax, total } = invoice;
  const sheet = new Sheet(HELVETICA, issuedOn);
  const [title, label] = kind === 'invoice' ? ['INVOICE', 'Invoice No.'] : ['CREDIT NOTE', 'Credit Note No.'];
  sheet.text(vendor, { x: 50, y: 50, size: 16, bold: true });
  for (const [index, line] of address.entries()) sheet.text(line, { x: 50, y: 74 + index * 12 });
  sheet.text(title, { x: 400, y: 50, size: 20, bold: true });
  const facts = [
    [label, number],
    ['Date:', dateText.english(issuedOn)],
    ...(orderNumber === undefined ? [] : [['Purchase order:', orderNumber]]),
  ];
  for (const [index, [name = '', value = '']] of facts.entries()) {
    sheet.text(name, { x: 360, y: 90 + index * 14, width: 90 });
    sheet.text(value, { x: 455, y: 90 + index * 14 });
  }
  sheet.text('Bill to: Example Manufacturing, Accounts Payable', { x: 50, y: 150 });
  sheet.y = 190;
  sheet.table({
    columns: [
      column('SKU', 50, 65),
      column('Description', 120, 200),
      column('Qty', 325, 50, 'right'),
      column('Unit price', 380, 75, 'right'),
      column('Amount', 460, 85, 'right'),
    ],
    rows: cells(lines, ENGLISH, ({ sku = '', description }) => [sku, description]),
  });
  sheet.y += 12;
  sheet.sum('Subtotal', numberText(net, ENGLISH), { x: 360, right: RIGHT });
  sheet.sum(`VAT ${taxRate} %`, numberText(tax, ENGLISH), { x: 360, right: RIGHT });
  sheet.sum('Total', `${currency} ${numberText(total, ENGLISH)}`, { x: 360, right: RIGHT, bold: true });
  sheet.text('Payable within 30 days. Registered in England no. 04417203.', { x: 50, y: 775 });
  return sheet.bytes();
}

/** No numbers of articles, facts under their headings, everything in one size. */
async function drawPlain(invoice: DemoInvoice): Promise<Buffer> {
  const { vendor, address, number, orderNumber = '', issuedOn, currency, taxRate, lines, net, tax, total } = invoice;
  const sheet = new Sheet(TIMES, issuedOn);
  sheet.text(`Supplier: ${vendor}`, { x: 50, y: 50, size: 10 });
  sheet.text(address.join(', '), { x: 50, y: 64, size: 10 });
  const facts = [
    ['Invoice number', number],
    ['Invoice date', dateText.american(issuedOn)],
    ['PO number', orderNumber],
    ['Currency', currency],
  ];
  for (const [index, [name = '', value = '']] of facts.entries()) {
    sheet.text(name, { x: 50 + index * 125, y: 100, size: 10, bold: true });
    sheet.text(value, { x: 50 + index * 125, y: 114, size: 10 });
  }
  sheet.y = 150;
  sheet.table({
    columns: [
      column('Item', 50, 270),
      column('Quantity', 320, 60, 'right'),
      column('Price each', 385, 75, 'right'),
      column('Line total', 465, 80, 'right'),
    ],
    rows: cells(lines, ENGLISH, ({ description }) => [description]),
  });
  sheet.y += 10;
  sheet.sum('Net amount', numberText(net, ENGLISH), { x: 360, right: RIGHT });
  sheet.sum(`Sales tax (${taxRate}%)`, numberText(tax, ENGLISH), { x: 360, right: RIGHT });
  sheet.sum('Amount due', numberText(total, ENGLISH), { x: 360, right: RIGHT, bold: true });
  return sheet.bytes();
}

/** Window envelope, facts flush right, decimal comma. */
async function drawGerman(invoice: DemoInvoice): Promise<Buffer> {
  const { kind, vendor, address, number, orderNumber, issuedOn, taxRate, lines, net, tax, total } = invoice;
  const sheet = new Sheet(DEJAVU, issuedOn);
  const isCredit = kind === 'credit_note';
  sheet.text(vendor, { x: 50, y: 40, size: 14, bold: true, width: 495, align: 'right' });
  sheet.text([vendor, ...address].join(' · '), { x: 50, y: 100, size: 6 });
  for (const [index, line] of ['Beispiel Fertigung GmbH', 'Buchhaltung', 'Werkring 5', '80331 München'].entries()) {
    sheet.text(line, { x: 50, y: 112 + index * 13 });
  }
  const facts = [
    `${isCredit ? 'Gutschriftsnr.' : 'Rechnungsnr.'}: ${number}`,
    `Rechnungsdatum: ${dateText.german(issuedOn)}`,
    ...(orderNumber === undefined ? [] : [`Ihre Bestellung: ${orderNumber}`]),
  ];
  for (const [index, fact] of facts.entries()) {
    sheet.text(fact, { x: 345, y: 112 + index * 13, width: 200, align: 'right' });
  }
  sheet.text(isCredit ? 'Gutschrift' : 'Rechnung', { x: 50, y: 190, size: 13, bold: true });
  sheet.y = 225;
  sheet.table({
    columns: [
      column('Pos.', 50, 25),
      column('Artikelnr.', 80, 60),
      column('Bezeichnung', 145, 165),
      column('Menge', 315, 45, 'right'),
      column('Einzelpreis', 365, 80, 'right'),
      column('Gesamtpreis', 450, 95, 'right'),
    ],
    rows: cells(lines, GERMAN, (line) => [String(lines.indexOf(line) + 1), line.sku ?? '', line.description]),
  });
  sheet.y += 12;
  sheet.sum('Zwischensumme netto', `${numberText(net, GERMAN)} €`, { x: 330, right: RIGHT });
  sheet.sum(`zzgl. ${taxRate} % MwSt.`, `${numberText(tax, GERMAN)} €`, { x: 330, right: RIGHT });
  const label = isCredit ? 'Gutschriftsbetrag' : 'Rechnungsbetrag';
  sheet.sum(label, `${numberText(total, GERMAN)} €`, { x: 330, right: RIGHT, bold: true });
  sheet.text('Bankverbindung: DE02 1203 0000 0000 2020 51 · Amtsgericht HRB 20457', { x: 50, y: 775, size: 7 });
  return sheet.bytes();
}

/** Apostrophes between thousands, the currency once in the heading. */
async function drawSwiss(invoice: DemoInvoice): Promise<Buffer> {
  const { vendor, address, number, orderNumber = '', issuedOn, currency, taxRate, lines, net, tax, total } = invoice;
  const sheet = new Sheet(DEJAVU, issuedOn);
  sheet.text(`Rechnung ${number}`, { x: 50, y: 50, size: 18, bold: true });
  sheet.text('Lieferant', { x: 50, y: 90 });
  sheet.text(vendor, { x: 150, y: 90 });
  sheet.text(address.join(', '), { x: 150, y: 104 });
  sheet.text('Datum', { x: 50, y: 118 });
  sheet.text(dateText.german(issuedOn), { x: 150, y: 118 });
  sheet.text('Bestellnummer', { x: 50, y: 132 });
  sheet.text(orderNumber, { x: 150, y: 132 });
  sheet.y = 160;
  sheet.table({
    columns: [
      column('Menge', 50, 45, 'right'),
      column('Artikel-Nr.', 105, 65),
      column('Beschreibung', 175, 190),
      column('Preis', 370, 75, 'right'),
      column(`Betrag ${currency}`, 450, 95, 'right'),
    ],
    rows: lines.map((line) => [
      numberText(line.quantity, SWISS),
      line.sku ?? '',
      line.description,
      numberText(line.unitPrice, SWISS),
      numberText(line.amount, SWISS),
    ]),
  });
  sheet.y += 10;
  sheet.sum('Total exkl. MWST', numberText(net, SWISS), { x: 300, right: RIGHT });
  sheet.sum(`MWST ${taxRate}%`, numberText(tax, SWISS), { x: 300, right: RIGHT });
  sheet.sum('Total inkl. MWST', numberText(total, SWISS), { x: 300, right: RIGHT, bold: true });
  return sheet.bytes();
}

/** Pages of lines, with what was carried from one to the next. */
async function drawLong(invoice: DemoInvoice): Promise<Buffer> {
  const { vendor, address, number, orderNumber = '', issuedOn, currency, taxRate, lines, net, tax, total } = invoice;
  const sheet = new Sheet(HELVETICA, issuedOn);
  let page = 1;
  const head = (): void => {
    sheet.text(vendor, { x: 50, y: 40, size: 12, bold: true });
    sheet.text(`Facture ${number} · page ${String(page)}`, { x: 380, y: 44, size: 8, width: 165, align: 'right' });
    sheet.y = 80;
    page += 1;
  };
  head();
  sheet.text(address.join(', '), { x: 50, y: 60, size: 8 });
  sheet.text(`Facture n° ${number}`, { x: 50, y: 90 });
  sheet.text(`Date : ${dateText.iso(issuedOn)}`, { x: 50, y: 104 });
  sheet.text(`Votre commande : ${orderNumber}`, { x: 50, y: 118 });
  sheet.y = 150;
  const cents = (upTo: number): bigint =>
    lines.slice(0, upTo).reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n);
  const carriedText = (upTo: number): string => {
    const text = String(cents(upTo)).padStart(3, '0');
    return numberText(`${text.slice(0, -2)}.${text.slice(-2)}`, FRENCH);
  };
  sheet.table({
    columns: [
      column('Réf.', 50, 55),
      column('Désignation', 110, 130),
      column('Quantité', 250, 60, 'right'),
      column('Prix unitaire', 320, 95, 'right'),
      column('Montant', 430, 115, 'right'),
    ],
    rows: cells(lines, FRENCH, ({ sku = '', description }) => [sku, description]),
    carried: (count) => ['Carried forward', 'Brought forward', carriedText(count)],
    pageHead: head,
  });
  sheet.y += 10;
  sheet.sum('Total HT', `${numberText(net, FRENCH)} ${currency}`, { x: 330, right: RIGHT });
  sheet.sum(`TVA ${taxRate} %`, `${numberText(tax, FRENCH)} ${currency}`, { x: 330, right: RIGHT });
  sheet.sum('Total TTC', `${numberText(total, FRENCH)} ${currency}`, { x: 330, right: RIGHT, bold: true });
  return sheet.bytes();
}
