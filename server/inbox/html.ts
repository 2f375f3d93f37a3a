import type { html } from 'hono/html';

/** Markup that `html` has made: every value in it is escaped. */
export type Html = ReturnType<typeof html>;
