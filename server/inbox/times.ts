import { html } from 'hono/html';
import type { Html } from './html.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `3 days`, `5 h`, `12 min`: as much as a person wants to know at a glance. */
export function spanOf(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  if (days >= 2) return `${String(days)} days`;
  const hours = Math.floor(ms / HOUR_MS);
  if (hours >= 1) return `${String(hours)} h`;
  return `${String(Math.max(Math.floor(ms / MINUTE_MS), 0))} min`;
}

/** Epoch ms, to the minute and with its zone. */
export function clock(at: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

export function dueIn(dueAt: number, now: number): string {
  return dueAt <= now ? 'overdue' : `in ${spanOf(dueAt - now)}`;
}
