/** A key in use is written down at most this often. */
export const LAST_USED_STEP_MS = 10 * 60_000;
