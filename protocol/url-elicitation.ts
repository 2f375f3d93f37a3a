import type { ElicitRequest } from './task.ts';

/** What an accepted URL elicitation holds: the person agreed to open the page, and that is all a client tells. */
export type NoContent = Readonly<Record<string, never>>;

/**
 * The request that sends a person to a page, for what must not pass through the client: a sign-in, a payment.
 * Spec: elicitation, URL mode.
 */
export function urlElicitation(message: string, url: string): ElicitRequest<NoContent> {
  return { method: 'elicitation/create', params: { mode: 'url', message, url } };
}
