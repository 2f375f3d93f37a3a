/** One line of the doctor: how bad, what, and how to mend it. */
export const ok = (what) => ({ level: 'OK', what });
export const warn = (what, mend) => ({ level: 'WARN', what, mend });
export const fail = (what, mend) => ({ level: 'FAIL', what, mend });
