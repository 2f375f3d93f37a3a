/** Tokens as an issuer, or somebody who would like to be one, may make them; keys and metadata over real HTTP. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { base64url, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import type { Credential, CredentialFault, CredentialVerifier } from '../../../server/auth/credential.ts';
import { CLOCK_SKEW_MS, createJwtVerifier } from '../../../server/auth/jwt-verifier.ts';
import { startTokenIssuer, type TokenChange, type TokenIssuer } from '../../support/token-issuer.ts';

const audience = 'https://host/mcp';
const SKEW_SECONDS = CLOCK_SKEW_MS / 1_000;

let issuer: TokenIssuer;
let verifier: CredentialVerifier;
beforeAll(async () => {
  issuer = await startTokenIssuer({ audience });
  verifier = createJwtVerifier({ issuer: issuer.url, audience });
});

function now(): number {
  return Math.floor(Date.now() / 1_000);
}

async function credentialOf(change: TokenChange, judge = verifier): Promise<Credential> {
  const verdict = await judge.verify(await issuer.token(change));
  if ('fault' in verdict) throw new Error(JSON.stringify(verdict.fault));
  return verdict.credential;
}

async function faultOf(token: string, judge = verifier): Promise<CredentialFault> {
  const verdict = await judge.verify(token);
  if ('credential' in verdict) throw new Error('the token was taken');
  return verdict.fault;
}

async function reasonFor(change: TokenChange, judge = verifier): Promise<string> {
  const fault = await faultOf(await issuer.token(change), judge);
  return fault.kind === 'unavailable' ? fault.kind : `${fault.kind}: ${fault.reason}`;
}

/** Signed by whoever has `key`, with the claims of a good token. */
async function signedWith(key: Parameters<SignJWT['sign']>[0], alg: string, kid?: string): Promise<string> {
  return new SignJWT({ sub: 'ada', aud: audience, iss: issuer.url, exp: now() + 600 })
    .setProtectedHeader({ alg, kid: kid ?? String(issuer.keys[0]?.['kid']) })
    .sign(key);
}

describe('a token of the issuer', () => {
  it('says who asks, what they may do and until when', async () => {
    const exp = now() + 600;
    expect(await credentialOf({ claims: { exp } })).toEqual({
      issuer: issuer.url,
      subject: 'ada',
      scopes: new Set(['tasks:read', 'tasks:write']),
      expiresAt: exp * 1_000 + CLOCK_SKEW_MS,
    });
  });

  it('is not told apart by the client that carries it', async () => {
    const [one, other] = await Promise.all([
      credentialOf({ claims: { client_id: 'one', azp: 'one', exp: 4e9 } }),
      credentialOf({ claims: { client_id: 'other', azp: 'other', exp: 4e9 } }),
    ]);
    expect(one).toEqual(other);
  });

  it.each([['ES256'], ['RS256'], ['PS256'], ['ES384'], ['EdDSA']])('may be signed with %s', async (algorithm) => {
    const more = await startTokenIssuer({ audience });
    const kid = await more.addKey(algorithm);
    const judge = createJwtVerifier({ issuer: more.url, audience });
    expect(await judge.verify(await more.token({ kid }))).toHaveProperty('credential');
  });

  it.each([
    [{ scope: 'a b' }, ['a', 'b']],
    [{ scope: undefined, scp: ['a', 'b', 7] }, ['a', 'b']],
    [{ scope: undefined, scp: 'a b' }, ['a', 'b']],
    [{ scope: undefined }, []],
    [{ scope: ' a  b ' }, ['a', 'b']],
    [{ scope: { a: 1 } }, []],
  ])('grants, by %j, the scopes %j', async (claims, scopes) => {
    expect([...(await credentialOf({ claims })).scopes]).toEqual(scopes);
  });

  it.each([[[audience]], [['https://other', audience]], [`${audience}/`], ['HTTPS://HOST:443/mcp']])(
    'is for this server with the audience %j',
    async (aud) => {
      await expect(credentialOf({ claims: { aud } })).resolves.toBeDefined();
    },
  );

  it('is for this server whether or not we write the slash ourselves', async () => {
    const slashed = createJwtVerifier({ issuer: issuer.url, audience: `${audience}/` });
    await expect(credentialOf({}, slashed)).resolves.toBeDefined();
  });

  it.each([
    ['https://other/mcp'],
    ['https://host'],
    [`${audience}//`],
    [['https://other', 'https://another']],
    [[]],
    [''],
    [undefined],
    [{ [audience]: true }],
    [[[audience]]],
  ])('is for somebody else with the audience %j', async (aud) => {
    expect(await faultOf(await issuer.token({ claims: { aud } }))).toEqual({
      kind: 'invalid',
      text: 'The access token was not issued for this server.',
      reason: 'aud',
    });
  });

  it('is taken a little after it has expired, and then not', async () => {
    await expect(credentialOf({ claims: { exp: now() - 20 } })).resolves.toBeDefined();
    expect(await faultOf(await issuer.token({ claims: { exp: now() - SKEW_SECONDS - 1 } }))).toEqual({
      kind: 'expired',
      text: 'The access token has expired.',
      reason: 'exp',
    });
  });

  it('is taken a little before it begins, and not earlier', async () => {
    await expect(credentialOf({ claims: { nbf: now() + 20 } })).resolves.toBeDefined();
    expect(await reasonFor({ claims: { nbf: now() + SKEW_SECONDS + 30 } })).toBe('invalid: nbf');
  });

  it.each([
    ['no end', { exp: undefined }, 'exp'],
    ['an end that is no number', { exp: '4000000000' }, 'exp'],
    ['no subject', { sub: undefined }, 'sub'],
    ['an empty subject', { sub: '' }, 'sub'],
    ['a subject that is no text', { sub: 7 }, 'sub'],
    ['no issuer', { iss: undefined }, 'iss'],
    ['another issuer', { iss: 'https://issuer.evil.test' }, 'iss'],
  ])('with %s is refused', async (_what, claims, reason) => {
    expect(await reasonFor({ claims })).toBe(`invalid: ${reason}`);
  });

  it('names its issuer to the letter', async () => {
    expect(await reasonFor({ claims: { iss: `${issuer.url}/` } })).toBe('invalid: iss');
    expect(await reasonFor({ claims: { iss: issuer.url.replace('http', 'HTTP') } })).toBe('invalid: iss');
  });

  it.each(['at+jwt', 'application/at+jwt', 'AT+JWT', 'JWT', undefined])('may be of the type %s', async (typ) => {
    await expect(credentialOf({ header: { typ } })).resolves.toBeDefined();
  });

  it.each(['logout+jwt', 'secevent+jwt', 'dpop+jwt', ''])('is something else with the type %j', async (typ) => {
    expect(await reasonFor({ header: { typ } })).toBe('invalid: typ');
  });

  it('lasts no longer than a number can say', async () => {
    expect((await credentialOf({ claims: { exp: 1e300 } })).expiresAt).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('the tenant', () => {
  it('is the claim that is configured for it', async () => {
    const judge = createJwtVerifier({ issuer: issuer.url, audience, tenantClaim: 'org' });
    expect(await credentialOf({ claims: { org: 'acme' } }, judge)).toMatchObject({ tenant: 'acme', subject: 'ada' });
    expect(await credentialOf({ claims: { org: 'acme' } })).not.toHaveProperty('tenant');
  });

  it.each([[undefined], [''], [7], [['acme']]])('cannot be %j', async (org) => {
    const judge = createJwtVerifier({ issuer: issuer.url, audience, tenantClaim: 'org' });
    expect(await reasonFor({ claims: { org } }, judge)).toBe('invalid: tenant');
  });
});

describe('the roles of a person', () => {
  it.each([
    [
      ['finance', 'staff', 7, ''],
      ['finance', 'staff'],
    ],
    ['finance staff', ['finance', 'staff']],
    ['finance,staff', ['finance', 'staff']],
    [undefined, []],
    [{ finance: true }, []],
  ])('are, by %j in the claim that is configured for them, %j', async (groups, roles) => {
    const judge = createJwtVerifier({ issuer: issuer.url, audience, rolesClaim: 'groups' });
    expect(await credentialOf({ claims: { groups } }, judge)).toMatchObject({ roles, subject: 'ada' });
    expect(await credentialOf({ claims: { groups } })).not.toHaveProperty('roles');
  });
});

describe('a forged token', () => {
  it('without a signature is refused', async () => {
    const [, claims] = (await issuer.token()).split('.');
    for (const alg of ['none', 'None', 'NONE', '']) {
      const header = base64url.encode(JSON.stringify({ alg, typ: 'JWT', kid: issuer.keys[0]?.['kid'] }));
      expect(await faultOf(`${header}.${claims!}.`)).toMatchObject({ kind: 'invalid' });
    }
  });

  it('signed with our public key as if it were a secret is refused', async () => {
    const rsa = await startTokenIssuer({ audience });
    const kid = await rsa.addKey('RS256');
    const judge = createJwtVerifier({ issuer: rsa.url, audience });
    const jwk = rsa.keys.find((each) => each['kid'] === kid)!;
    const pem = await exportSPKI((await importJWK(jwk as JWK, 'RS256', { extractable: true })) as never);
    for (const secret of [pem, pem.trim(), String(jwk['n'])]) {
      const token = await new SignJWT({ sub: 'ada', aud: audience, iss: rsa.url, exp: now() + 600 })
        .setProtectedHeader({ alg: 'HS256', kid })
        .sign(Buffer.from(secret));
      expect(await faultOf(token, judge)).toMatchObject({ kind: 'invalid', reason: 'ERR_JOSE_ALG_NOT_ALLOWED' });
    }
  });

  it('signed with a key of somebody else is refused, whatever key it names or brings along', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    expect(await faultOf(await signedWith(privateKey, 'ES256'))).toMatchObject({
      kind: 'invalid',
      reason: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    });
    expect(await faultOf(await signedWith(privateKey, 'ES256', 'nobody'))).toMatchObject({ kind: 'invalid' });
    const token = await new SignJWT({ sub: 'ada', aud: audience, iss: issuer.url, exp: now() + 600 })
      .setProtectedHeader({ alg: 'ES256', jwk: await exportJWK(publicKey), jku: 'https://evil.test/jwks' })
      .sign(privateKey);
    expect(await faultOf(token)).toMatchObject({ kind: 'invalid' });
  });

  it('with other claims under a good signature is refused', async () => {
    const [header, , signature] = (await issuer.token()).split('.');
    const claims = base64url.encode(
      JSON.stringify({ sub: 'eve', aud: audience, iss: issuer.url, exp: now() + 600, nbf: now() }),
    );
    expect(await faultOf([header, claims, signature].join('.'))).toMatchObject({ kind: 'invalid' });
  });

  it.each([
    ['dots', '..'],
    ['letters', 'a.b.c'],
    ['empty objects', 'e30.e30.e30'],
    ['too many parts', 'e30.e30.e30.e30'],
    ['very much of nothing', `${'a'.repeat(100_000)}.b.c`],
  ])('of %s is no token', async (_what, token) => {
    expect(await faultOf(token)).toMatchObject({ kind: 'invalid', text: 'The access token is not valid here.' });
  });

  it('leaves nothing of itself in the fault', async () => {
    const change = { claims: { sub: 'secret-subject', aud: 'https://secret-audience', jti: 'secret-id' } };
    const token = await issuer.token(change);
    const told = JSON.stringify(await faultOf(token));
    expect(told).not.toMatch(/secret/);
    for (const part of token.split('.')) expect(told).not.toContain(part);
  });
});
