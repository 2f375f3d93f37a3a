/** The inbox of a front, as its configuration says. */
import { signDecision } from '../../encryption/decision-signing.ts';
import type { ReadableApprovals } from '../approvals/approval-source.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { ServingParts } from '../mcp-parts.ts';
import { issuerOf } from './config.ts';
import { createInbox, type InboxDoor } from './inbox.ts';
import { createLinks } from './links.ts';
import { localSignIn } from './local-sign-in.ts';
import { oidcSignIn } from './oidc-sign-in.ts';

export interface InboxOptions extends Pick<ServingParts, 'store' | 'blobs'> {
  readonly config: Pick<Config, 'inbox' | 'principalRing' | 'notices'>;
  readonly approvals: ReadableApprovals | undefined;
  readonly log: Log;
}

/** `undefined`: nobody could sign in. */
export function inboxOf({ config, approvals, store, blobs, log }: InboxOptions): InboxDoor | undefined {
  const { inbox, principalRing } = config;
  if (inbox === undefined || approvals === undefined) return undefined;
  return createInbox({
    ...approvals,
    principalRing,
    tasks: store,
    blobs,
    links: createLinks(principalRing, () => approvals.inboxUrl().origin),
    // What is mailed waits in the database.
    mailsLinks: config.notices.mail !== undefined && approvals.queue !== undefined,
    sign: (decision) => signDecision(inbox.decisionKeys, decision),
    signIn: inbox.signIn === 'local' ? localSignIn : oidcSignIn(inbox.signIn),
    issuer: issuerOf(inbox),
    isSecure: inbox.url?.protocol === 'https:',
    log,
  });
}
