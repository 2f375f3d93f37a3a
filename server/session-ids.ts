/**
 * `Mcp-Session-Id` of the revisions before 2026-07-28, and no session: the id itself holds, sealed, what the client said in
 * `initialize`. Any front reads it, and none keeps it. It grants nothing, so it has no end.
 *
 * Spec: 2025-11-25, streamable-http, Session Management.
 */
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { ClientFeatures } from '../protocol/input-feature.ts';
import type { Caller } from './caller.ts';
import type { PrincipalRing } from './principal.ts';
import { createSealing } from './sealing.ts';

export interface SealedSession {
  /** As `initialize` answered it. */
  readonly protocolVersion: string;
  readonly features: ClientFeatures;
}

export interface SessionIds {
  /** Visible ASCII, some 200 characters, whatever the client declared. */
  seal(caller: Caller, session: SealedSession): string;
  /** `undefined`: changed, made for another caller or under another key, or of a revision that is not served any more. */
  open(caller: Caller, id: string): SealedSession | undefined;
}

const NEVER = Number.MAX_SAFE_INTEGER;

export function createSessionIds(ring: PrincipalRing): SessionIds {
  const sealing = createSealing(ring, 'session');
  return {
    seal: (caller, session) => sealing.seal(session, caller, NEVER),
    open(caller, id) {
      const session = sealing.open(id, caller, Date.now()) as SealedSession | undefined;
      if (session === undefined || !SUPPORTED_PROTOCOL_VERSIONS.includes(session.protocolVersion)) return undefined;
      return session;
    },
  };
}
