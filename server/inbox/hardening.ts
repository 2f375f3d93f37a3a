/**
 * What holds for every request of the inbox, whatever its page.
 *
 * The referrer policy is `same-origin`: with `no-referrer` browsers send `Origin: null` with a form, and the door could not
 * tell our own form from that of a stranger. No other site learns where a visitor comes from either way.
 */
import type { MiddlewareHandler } from 'hono';
import { answerRefused } from './answer-page.ts';
import type { InboxEnv } from './inbox-env.ts';

const MAX_FORM_BYTES = 64 * 1024;

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    // htmx fetches the queue again.
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

export const setHeaders: MiddlewareHandler<InboxEnv> = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  }
};

/** Only pages of this very origin post here: that a browser may reach /mcp from another one says nothing of forms. */
export const refuseOtherOrigins: MiddlewareHandler<InboxEnv> = async (context, next) => {
  const { method } = context.req;
  if (method === 'GET' || method === 'HEAD') return next();
  const origin = context.req.header('origin');
  const isOurs = origin === undefined || (URL.canParse(origin) && new URL(origin).host === context.req.header('host'));
  if (isOurs) return next();
  return answerRefused(context, 403, 'Refused', 'This form was not sent from a page of this inbox.');
};

/** Browsers say how long a form is; more than that Node does not read of it. */
export const limitBody: MiddlewareHandler<InboxEnv> = async (context, next) => {
  if (context.req.method !== 'POST') return next();
  const length = context.req.header('content-length');
  if (length === undefined) return answerRefused(context, 411, 'Refused', 'Say how long the form is: Content-Length.');
  if (Number(length) <= MAX_FORM_BYTES) return next();
  return answerRefused(context, 413, 'Too long', `What you sent is longer than ${String(MAX_FORM_BYTES)} bytes.`);
};

/** The fields of a form, once each: one that comes twice is a form of somebody else's making. */
export const readForm: MiddlewareHandler<InboxEnv> = async (context, next) => {
  if (context.req.method !== 'POST') return next();
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    return answerRefused(context, 415, 'Refused', 'Send forms as application/x-www-form-urlencoded.');
  }
  const fields = [...new URLSearchParams(await context.req.text())];
  const form = new Map(fields);
  if (form.size < fields.length) return answerRefused(context, 400, 'Refused', 'A field of this form comes twice.');
  context.set('form', form);
  return next();
};
