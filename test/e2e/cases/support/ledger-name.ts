/** Of the file in the data folder where the case tools book what they do. */
export const LEDGER_NAME = 'ledger';
