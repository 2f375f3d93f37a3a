/** Something the person at the keyboard has to mend; its message says what and how, and no stack helps. */
export class SetupError extends Error {
  name = 'SetupError';
}

/** Ends the process with the message alone for a SetupError, and with the stack for a bug. */
export function exitWith(error) {
  console.error(error instanceof SetupError ? `\n${error.message}` : error);
  process.exit(1);
}
