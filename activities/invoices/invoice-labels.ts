/** What stands before a value on an invoice, in English, German and French. */

export type Field = 'number' | 'orderNumber' | 'issuedOn' | 'vendor' | 'currency';

const NO = String.raw`(?:no|nr|num|number|nummer|n°|numéro|reference|ref|#)`;
/** The first that fits counts; what a label leaves of its cell is the value. */
const LABELS: readonly (readonly [Field, RegExp])[] = [
  [
    'number',
    new RegExp(
      String.raw`^(?:invoice|credit (?:note|memo)|rechnungs?|gutschrifts?|beleg|facture|avoir)[\s-]*${NO}(?![a-z])\.?\s*:?\s*(?<value>.*)$`,
      'i',
    ),
  ],
  [
    'number',
    /^(?:tax invoice|invoice|credit (?:note|memo)|rechnung|gutschrift|facture|avoir)\s*:?\s+(?<value>(?=\S*\d)\S+)$/i,
  ],
  [
    'orderNumber',
    new RegExp(
      String.raw`^(?:your |ihre |votre )?(?:purchase order|p\.?o\.?|order|bestell(?:ung|nummer)?|commande)` +
        String.raw`(?:[\s.-]*${NO}(?![a-z])\.?)?(?=[\s:]|$)\s*:?\s*(?!box\b)(?<value>.*)$`,
      'i',
    ),
  ],
  [
    'issuedOn',
    /^(?:(?:invoice|issue|credit note|rechnungs|beleg)[\s-]*(?:date|datum)|date(?: of issue| d'émission| de facture)?|datum|issued(?: on)?|dated)\s*:?\s*(?<value>.*)$/i,
  ],
  [
    'vendor',
    /^(?:vendor|supplier|seller|sold by|from|lieferant|verkäufer|aussteller|fournisseur)(?=\s*:|$)\s*:?\s*(?<value>.*)$/i,
  ],
  ['currency', /^(?:currency|währung|devise)\s*:?\s*(?<value>.*)$/i],
];

export interface FoundLabel {
  readonly field: Field;
  /** Empty when it stands in another cell. */
  readonly value: string;
}

export function labelIn(text: string): FoundLabel | undefined {
  for (const [field, pattern] of LABELS) {
    const value = pattern.exec(text)?.groups?.['value'];
    if (value !== undefined) return { field, value: value.trim() };
  }
  return undefined;
}

export function isTitle(text: string): boolean {
  return /^(?:(?:tax |pro forma )?invoice|rechnung|facture|credit (?:note|memo)|gutschrift|rechnungskorrektur|avoir)\b/i.test(
    text,
  );
}

export function isCreditTitle(text: string): boolean {
  return /^(?:credit (?:note|memo)|gutschrift|rechnungskorrektur|avoir)\b/i.test(text);
}

export type Column = 'description' | 'sku' | 'quantity' | 'unitPrice' | 'amount' | 'other';

const COLUMNS: readonly (readonly [Column, RegExp])[] = [
  ['sku', /^(?:sku|(?:item|article|part|product|art|artikel)[\s.-]*(?:no|nr|number|nummer|code)\b|réf)/i],
  [
    'description',
    /^(?:description|item|article|artikel|bezeichnung|beschreibung|leistung|product|details|désignation|goods)/i,
  ],
  ['unitPrice', /^(?:unit price|price|einzelpreis|e-?preis|stückpreis|preis|rate|prix)/i],
  ['quantity', /^(?:qty|quantity|menge|anzahl|quantité|qté)/i],
  ['amount', /^(?:amount|(?:line |net )?total|gesamt|betrag|summe|net amount|montant)/i],
  ['other', /^(?:pos|#|no\b|line\b|unit\b|uom|einheit|vat|mwst|ust|tax|tva|discount|rabatt|per\b)/i],
];

export function columnOf(header: string): Column | undefined {
  return COLUMNS.find(([, pattern]) => pattern.test(header))?.[0];
}

export type Sum = 'net' | 'tax' | 'total';

const SUMS: readonly (readonly [Sum, RegExp])[] = [
  [
    'tax',
    /^(?:plus |zzgl\.? |\+ ?)?(?:\d+(?:[.,]\d+)? ?% )?(?:vat|tax|gst|sales tax|mwst|ust|mehrwertsteuer|umsatzsteuer|tva)\b/i,
  ],
  [
    'net',
    /\b(?:sub-?total|sous-total|zwischensumme|net(?!\s+(?:due|payable))|netto\w*|nettobetrag|excl|exkl|ohne mwst|hors taxe|ht)\b/i,
  ],
  [
    'total',
    /\b(?:incl|inkl|brutto\w*|gross|due|payable|grand|gesamt\w*|rechnungsbetrag|endbetrag|zu zahlen|gutschriftsbetrag|ttc|à payer)\b/i,
  ],
  ['tax', /\b(?:vat|tax|mwst|ust|mehrwertsteuer|umsatzsteuer|tva)\b/i],
  ['total', /^(?:total|summe|invoice total|credit total)\b/i],
];

export function sumOf(label: string): Sum | undefined {
  return SUMS.find(([, pattern]) => pattern.test(label))?.[0];
}

/** The sum of a page, which is not one of the invoice. */
export function isCarried(label: string): boolean {
  return /^(?:carried|brought) forward|^übertrag|^total of page|^seitensumme|^report\b/i.test(label);
}
