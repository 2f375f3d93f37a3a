/** What a vendor reads. The subject is ours but for the number, whose characters the ERP's client has checked. */
import { singleLine } from '../mail/single-line.ts';

/** Of an order that the ERP has taken. */
export interface MailedOrder {
  readonly number: string;
  readonly vendor: string;
  readonly total: string;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly neededBy?: string | undefined;
}

export interface OrderMailText {
  readonly subject: string;
  readonly text: string;
}

export function orderMailText({ number, vendor, total, currency, neededBy }: MailedOrder): OrderMailText {
  return {
    subject: `Purchase order ${number}`,
    text: lined([
      `To ${singleLine(vendor)}`,
      '',
      `We order what the attached purchase order ${number} lists, for ${total} ${currency} in total.`,
      ...(neededBy === undefined ? [] : [`Needed by: ${neededBy}`]),
      '',
      `Please name ${number} on the delivery note and on the invoice.`,
      'Should this mail reach you twice, it is one order: both have the same Message-ID.',
    ]),
  };
}

export function cancellationText({ number, vendor }: Pick<MailedOrder, 'number' | 'vendor'>): OrderMailText {
  return {
    subject: `Cancelled: purchase order ${number}`,
    text: lined([
      `To ${singleLine(vendor)}`,
      '',
      `We cancel purchase order ${number}. Please deliver nothing for it, and send no invoice.`,
      'If the order itself did not reach you, there is nothing to do.',
    ]),
  };
}

function lined(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
