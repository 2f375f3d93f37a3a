import { isNativeError } from 'node:util/types';

/** The database is out of reach, or did not answer in time. What was asked may or may not have happened. */
export class StoreDown extends Error {
  override readonly name = 'StoreDown';

  constructor(options?: ErrorOptions) {
    // For the log. A client reads a text of the server's own.
    super('The database cannot be reached or does not answer.', options);
  }
}

/**
 * SQLSTATE by which Postgres itself says that it cannot serve: 08 connection, 53 out of resources, 57P stopping or starting,
 * 57014 the statement timeout, 25P03 the limit of an idle transaction.
 */
const DOWN_STATES = /^(08...|53...|57P..|57014|25P03)$/;
/** The driver has texts for these and no codes. */
const DRIVER_TEXTS =
  /^(Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client (has encountered|was closed))/;

/** What a query threw, as a StoreDown when the connection is the cause; anything else unchanged. */
export function toStoreDown(error: unknown): unknown {
  return isLostConnection(error) ? new StoreDown({ cause: error }) : error;
}

function isLostConnection(error: unknown): boolean {
  // Also an error of another realm, which is an instance of another `Error`.
  if (!isNativeError(error) || error instanceof StoreDown) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  return (
    typeof syscall === 'string' ||
    (typeof code === 'string' && DOWN_STATES.test(code)) ||
    DRIVER_TEXTS.test(error.message)
  );
}
