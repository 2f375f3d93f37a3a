import { userInfo } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { localCaller } from '../../../server/local-caller.ts';
import { callerOf, principalOf } from '../../../server/principal.ts';

const key = Buffer.alloc(32, 7);
const older = Buffer.alloc(32, 6);
const ada = { issuer: 'https://i', subject: 'ada' };
const scopes = new Set(['tasks:read']);

describe('principalOf', () => {
  it('is the same 32 hex digits for ever: ids of tasks hang on it', () => {
    expect(principalOf(key, { issuer: 'local', subject: 'ada' })).toBe('1f17ac30868e6944a78b1cbfabe45460');
    expect(principalOf(key, { issuer: 'https://i', subject: 'ada', tenant: 't' })).toBe(
      '98af2d8b5c034bd5e03c0f80bff72092',
    );
  });

  it('depends on the key and on each part of the subject', () => {
    const all = [
      principalOf(key, ada),
      principalOf(older, ada),
      principalOf(key, { ...ada, subject: 'eve' }),
      principalOf(key, { ...ada, issuer: 'https://j' }),
      principalOf(key, { ...ada, tenant: 't' }),
      principalOf(key, { ...ada, tenant: '' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('callerOf', () => {
  it('names the principal under both keys of the ring', () => {
    expect(callerOf([key, older], ada, { scopes })).toEqual({
      principal: principalOf(key, ada),
      formerPrincipal: principalOf(older, ada),
      tenant: principalOf(key, ada),
      displayName: ada.subject,
      identity: { subject: 'ada' },
      scopes,
    });
    expect(callerOf([key], ada, { scopes })).not.toHaveProperty('formerPrincipal');
  });

  it('puts those of one tenant together, and nobody else', () => {
    const tenantOf = (subject: string, tenant: string | undefined, issuer = ada.issuer): string =>
      callerOf([key], { issuer, subject, ...(tenant === undefined ? {} : { tenant }) }, { scopes }).tenant;
    expect(tenantOf('ada', 't')).toBe(tenantOf('eve', 't'));
    const different = [
      tenantOf('ada', 't'),
      tenantOf('ada', 'u'),
      tenantOf('ada', 't', 'https://j'),
      tenantOf('ada', undefined),
      tenantOf('eve', undefined),
    ];
    expect(new Set(different).size).toBe(different.length);
  });

  it('keeps the subject itself out but for the name that others read, and what else the credential says', () => {
    const credential = { ...ada, tenant: 'acme', name: 'A. L.', scopes, expiresAt: 5 };
    const { displayName, identity, ...caller } = callerOf([key, older], credential, credential);
    expect([displayName, identity]).toEqual(['A. L.', { subject: 'ada', organisation: 'acme' }]);
    expect(Object.keys(caller).sort()).toEqual(['expiresAt', 'formerPrincipal', 'principal', 'scopes', 'tenant']);
    expect(JSON.stringify(caller)).not.toMatch(/ada|acme|https/);
  });
});

describe('whom an approval may ask', () => {
  it('is told of a caller only where the credential is that of a person', () => {
    expect(callerOf([key], ada, { scopes })).not.toHaveProperty('approver');
    const { approver } = callerOf([key], ada, { scopes, roles: ['finance'] });
    expect(approver).toEqual({ subject: 'ada', roles: ['finance'] });
  });
});

describe('localCaller', () => {
  it('is the user of this process, who may do everything', () => {
    expect(localCaller(key, older)).toEqual({
      principal: expect.stringMatching(/^[0-9a-f]{32}$/),
      formerPrincipal: localCaller(older).principal,
      tenant: localCaller(key).principal,
      displayName: userInfo().username,
      identity: { subject: userInfo().username },
      approver: { subject: userInfo().username, roles: [] },
      scopes: 'all',
    });
  });
});
