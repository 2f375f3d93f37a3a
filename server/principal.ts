/**
 * Whose a task is, as a hash under `PRINCIPAL_KEY`: it stands in workflow ids, search attributes and logs, and tells
 * nobody there who the subject is.
 */
import { createHmac } from 'node:crypto';
import type { Caller } from './caller.ts';

/** Whom a credential speaks for: all three make the principal, and the client that carried it does not. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
  /** Only where one issuer gives the same subject to several organisations. */
  readonly tenant?: string;
  /** How the issuer calls them to other people. Default: the subject. */
  readonly name?: string;
}

/** Newest first. New tasks are made under the newest; those made under the former stay within reach. */
export type PrincipalRing = readonly [newest: Uint8Array, former?: Uint8Array];

/** What else a credential says of its caller. */
export interface Grant extends Pick<Caller, 'scopes' | 'expiresAt'> {
  /** That it brings; absent where it speaks for nobody whom an approval may ask. */
  readonly roles?: readonly string[];
}

/** 32 hex digits. */
export function principalOf(key: Uint8Array, subject: Subject): string {
  return hashOf(key, encodeSubject(subject));
}

export function callerOf(
  [newest, former]: PrincipalRing,
  subject: Subject,
  { scopes, expiresAt, roles }: Grant,
): Caller {
  const { issuer, tenant, name = subject.subject } = subject;
  const principal = principalOf(newest, subject);
  return {
    principal,
    ...(former === undefined ? {} : { formerPrincipal: principalOf(former, subject) }),
    tenant: tenant === undefined ? principal : hashOf(newest, JSON.stringify(['tenant', issuer, tenant])),
    displayName: name,
    identity: { subject: subject.subject, ...(tenant === undefined ? {} : { organisation: tenant }) },
    ...(roles === undefined ? {} : { approver: { subject: subject.subject, roles } }),
    scopes,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

/** No two subjects share a text: JSON marks where each part ends, and escapes what UTF-8 would lose. */
export function encodeSubject({ issuer, subject, tenant }: Subject): string {
  return JSON.stringify(['principal', issuer, subject, ...(tenant === undefined ? [] : [tenant])]);
}

function hashOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}
