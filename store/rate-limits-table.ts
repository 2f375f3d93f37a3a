/** Its columns, and their order, are those of the library that counts in it. */
export const RATE_LIMITS_TABLE = 'rate_limits';
