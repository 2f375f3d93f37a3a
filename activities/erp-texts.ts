/** What a caller reads about the ERP. No upstream text, host or code gets in. */

export interface DocumentTexts {
  readonly sending: string;
  readonly unreachable: string;
  readonly unknown: string;
  readonly voiding: string;
  readonly refused: string;
  /** The ERP holds another one that keeps this one out. */
  readonly duplicate: (number: string) => string;
  /** It cannot be voided, because the ERP says so. */
  readonly stands: (number: string) => string;
  /** It cannot be voided, because the ERP does not know it any more. */
  readonly lost: (number: string) => string;
}

export const UNREACHABLE =
  'The ERP cannot be reached, or takes no orders at the moment; nothing was ordered yet, trying again';
export const UNKNOWN = 'The ERP gives no clear answer; it is not known yet whether it took the order, trying again';
export const SEARCHING = 'Looking in the ERP for the order';

export const ORDER_TEXTS: DocumentTexts = {
  sending: 'Sending the order to the ERP',
  unreachable: UNREACHABLE,
  unknown: UNKNOWN,
  voiding: 'Voiding the order in the ERP',
  refused:
    'The ERP refused this order; nothing was ordered. Ask the purchasing department whether the vendor account is open, ' +
    'and call again with what they say.',
  duplicate: (number) => `The ERP has this order already, as ${number}; nothing was ordered.`,
  stands: (number) =>
    `Order ${number} stands: the ERP does not void it any more, as it does when goods have come. ` +
    'Settle a return with the purchasing department.',
  lost: (number) => `The ERP no longer knows order ${number}. Ask the purchasing department to void it by hand.`,
};

export const INVOICE_TEXTS: DocumentTexts = {
  sending: 'Sending the invoices to the ERP',
  unreachable: 'The ERP cannot be reached, or takes no invoices at the moment, trying again',
  unknown: 'The ERP gives no clear answer; it is not known yet whether it took the invoice, trying again',
  voiding: 'Voiding the invoices in the ERP',
  refused: 'The ERP refused it',
  duplicate: (number) => `The ERP has this invoice already, as ${number}`,
  stands: (number) =>
    `Invoice ${number} stands: the ERP does not void it any more. Have it reversed by the accounting department.`,
  lost: (number) => `The ERP no longer knows invoice ${number}. Ask the accounting department to void it by hand.`,
};
