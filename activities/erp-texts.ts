/** What a caller reads about the ERP. No upstream text, host or code gets in. */

export const SENDING = 'Sending the order to the ERP';
export const UNREACHABLE = 'The ERP does not answer; nothing was sent yet, trying again';
export const UNKNOWN = 'The ERP does not answer; it is not known yet whether it took the order, trying again';
export const SEARCHING = 'Looking in the ERP for the order';
export const VOIDING = 'Voiding the order in the ERP';

export const REFUSED =
  'The ERP refused this order; nothing was ordered. Ask the purchasing department whether the vendor account is open, ' +
  'and call again with what they say.';
