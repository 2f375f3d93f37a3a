import { beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthenticate, type SignIn, type SignInRefusal } from '../../../../server/auth/authenticate.ts';
import type { CredentialFault, CredentialVerifier, Verdict } from '../../../../server/auth/credential.ts';
import { principalOf } from '../../../../server/principal.ts';

const key = Buffer.alloc(32, 7);
const ada = { issuer: 'https://i', subject: 'ada' };
const scopes = new Set(['tasks:read']);

let checked: string[];
let logged: unknown[];
let counted: string[];
let verdict: Verdict;
beforeEach(() => {
  [checked, logged, counted] = [[], [], []];
  verdict = { credential: { ...ada, scopes, expiresAt: 5 } };
});

/** Tokens that begin with `t`. */
const verifier: CredentialVerifier = {
  recognizes: (token) => token.startsWith('t'),
  async verify(token) {
    checked.push(token);
    return verdict;
  },
};
const log = { info: (...words: unknown[]) => logged.push(words), warn: (...words: unknown[]) => logged.push(words) };

function signIn(authorization: readonly string[], blockedForMs = 0): Promise<SignIn> {
  const authenticate = createAuthenticate({
    verifiers: [verifier],
    principalRing: [key],
    failedSignIns: {
      blockedForMs: async () => blockedForMs,
      count: async (address) => void counted.push(address),
    },
    log,
  });
  const rawHeaders = authorization.flatMap((value) => ['Authorization', value]);
  return authenticate({ rawHeaders: ['Host', 'x', ...rawHeaders], socket: { remoteAddress: '10.0.0.1' } });
}

async function refusalOf(authorization: readonly string[], blockedForMs?: number): Promise<SignInRefusal['kind']> {
  const outcome = await signIn(authorization, blockedForMs);
  if ('caller' in outcome) throw new Error('signed in');
  return outcome.refusal.kind;
}

async function refusalFor(fault: CredentialFault): Promise<SignIn> {
  verdict = { fault };
  return signIn(['Bearer t1']);
}

describe('authenticate', () => {
  it.each(['Bearer t1', 'bearer t1', 'BEARER   t1'])('reads the token of %s', async (header) => {
    expect(await signIn([header])).toEqual({
      caller: {
        principal: principalOf(key, ada),
        tenant: principalOf(key, ada),
        displayName: ada.subject,
        identity: { subject: ada.subject },
        scopes,
        expiresAt: 5,
      },
    });
    expect(checked).toEqual(['t1']);
  });

  it.each([[[]], [['']], [['Basic dDp0']], [['t1']], [['Bearert1']], [['DPoP t1']]])(
    'finds nothing to check in %j',
    async (headers) => {
      expect(await refusalOf(headers)).toBe('missing');
      expect(checked).toEqual([]);
    },
  );

  it.each([
    [['Bearer']],
    [['Bearer ']],
    [['Bearer t1 t2']],
    [['Bearer t1, Bearer t2']],
    [['Bearer t1,t2']],
    [['Bearer t=1']],
    [['Bearer t\u00e9']],
    [['Bearer "t1"']],
    [['Bearer\tt1']],
    [['Bearer t1', 'Bearer t1']],
    [['Bearer t1', 'Basic dDp0']],
    [['', 'Bearer t1']],
    [[`Bearer t${'1'.repeat(8_185)}`]],
  ])('does not guess what %j means', async (headers) => {
    expect(await refusalOf(headers)).toBe('malformed');
    expect(checked).toEqual([]);
  });

  it('takes a token of 8000 characters', async () => {
    expect(await signIn([`Bearer t${'1'.repeat(7_999)}`])).toHaveProperty('caller');
  });

  it('refuses a token that no verifier knows', async () => {
    expect(await refusalOf(['Bearer x1'])).toBe('invalid');
    expect(checked).toEqual([]);
  });

  it('passes on why a credential is refused, and logs the reason without it', async () => {
    expect(await refusalFor({ kind: 'expired', text: 'Too old.', reason: 'exp' })).toEqual({
      refusal: { kind: 'expired', text: 'Too old.' },
    });
    expect(logged).toEqual([[{ kind: 'expired', reason: 'exp' }, 'a credential was refused']]);
  });

  it('logs what keeps a credential from being checked, and tells the client only when to come back', async () => {
    const cause = new Error('connect ECONNREFUSED 10.1.1.1');
    expect(await refusalFor({ kind: 'unavailable', text: 'Later.', retryAfterMs: 5, cause })).toEqual({
      refusal: { kind: 'unavailable', text: 'Later.', retryAfterMs: 5 },
    });
    expect(logged).toEqual([[{ err: cause }, 'a credential cannot be checked']]);
  });

  it('counts against the address only what was never good', async () => {
    await refusalFor({ kind: 'expired', text: '', reason: 'exp' });
    await refusalFor({ kind: 'unavailable', text: '', retryAfterMs: 5, cause: undefined });
    await refusalOf([]);
    expect(counted).toEqual([]);
    await refusalFor({ kind: 'invalid', text: '', reason: 'aud' });
    await refusalOf(['Bearer x1']);
    expect(counted).toEqual(['10.0.0.1', '10.0.0.1']);
  });

  it('checks nothing from an address that tried too often', async () => {
    expect(await refusalOf(['Bearer t1'], 1_500)).toBe('throttled');
    expect(checked).toEqual([]);
    expect(await refusalOf([], 1_500)).toBe('missing');
  });
});
