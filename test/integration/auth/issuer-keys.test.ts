/** How the keys of an issuer are found, kept, and missed. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import type { Verdict } from '../../../server/auth/credential.ts';
import { createJwtVerifier, type JwtVerifierOptions } from '../../../server/auth/jwt-verifier.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { startTokenIssuer, type TokenIssuer } from '../../support/token-issuer.ts';

const audience = 'https://host/mcp';
const OPENID = '/.well-known/openid-configuration';
const OAUTH = '/.well-known/oauth-authorization-server';

let issuer: TokenIssuer;
beforeEach(async () => {
  issuer = await startTokenIssuer({ audience });
});

/** Judges the newest token of the issuer, or the one given. */
function judgeOf(more: Partial<JwtVerifierOptions> = {}): (token?: string) => Promise<string> {
  const verifier = createJwtVerifier({ issuer: issuer.url, audience, ...more });
  return async (token) => wordFor(await verifier.verify(token ?? (await issuer.token())));
}

function wordFor(verdict: Verdict): string {
  return 'credential' in verdict ? 'taken' : verdict.fault.kind;
}

function fetchCount(): number {
  return issuer.asked.filter((path) => path === '/jwks').length;
}

describe('the keys', () => {
  it('are fetched once, also for many requests at the same time', async () => {
    const judge = judgeOf();
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => judge()));
    expect(new Set([...verdicts, await judge()])).toEqual(new Set(['taken']));
    expect(issuer.asked).toEqual([OAUTH, OPENID, '/jwks']);
  });

  it('are fetched from the given place, without asking where they are', async () => {
    expect(await judgeOf({ jwksUrl: issuer.jwksUrl })()).toBe('taken');
    expect(issuer.asked).toEqual(['/jwks']);
  });

  it('are fetched anew for a key that was added since, and the older ones go on', async () => {
    const judge = judgeOf({ cooldownMs: 0 });
    const older = await issuer.token();
    expect(await judge(older)).toBe('taken');
    await issuer.addKey('RS256');
    expect(await judge()).toBe('taken');
    expect(await judge(older)).toBe('taken');
    expect(fetchCount()).toBe(2);
  });

  it('are fetched once a cooldown for key ids that nobody knows', async () => {
    const stranger = await startTokenIssuer({ audience });
    const forged = async (): Promise<string> => {
      const kid = await stranger.addKey();
      return stranger.token({ kid, claims: { iss: issuer.url } });
    };
    const judge = judgeOf({ cooldownMs: 60_000 });
    for (let count = 0; count < 5; count += 1) expect(await judge(await forged())).toBe('invalid');
    expect(await judge()).toBe('taken');
    expect(fetchCount()).toBe(1);
  });

  it('are good no more once they are withdrawn and their time is over', async () => {
    const judge = judgeOf({ maxAgeMs: 50, cooldownMs: 0 });
    const token = await issuer.token();
    expect(await judge(token)).toBe('taken');
    issuer.withdrawKeys();
    await issuer.addKey();
    await eventually(async () => (await judge(token)) === 'invalid');
  });
});

describe('an issuer that does not answer', () => {
  it.each(['down', 'hanging'] as const)('that is %s says nothing of the token', async (mode) => {
    issuer.mode = mode;
    const judge = judgeOf({ timeoutMs: 200, backOffMs: 0 });
    expect(await judge()).toBe('unavailable');
    issuer.mode = 'up';
    await eventually(async () => (await judge()) === 'taken');
  });

  it('cannot be reached, and is named to the log alone', async () => {
    const jwksUrl = new URL(`http://127.0.0.1:${String(await freePort())}`);
    const verifier = createJwtVerifier({ issuer: issuer.url, audience, jwksUrl });
    const verdict = await verifier.verify(await issuer.token());
    expect(verdict).toEqual({
      fault: {
        kind: 'unavailable',
        text: expect.not.stringMatching(/127|ECONN|fetch/),
        retryAfterMs: 5_000,
        cause: expect.anything(),
      },
    });
    expect(inspect(verdict, { depth: 9 })).toContain('ECONNREFUSED');
  });

  it('is not asked again for a moment, and then is', async () => {
    issuer.mode = 'down';
    const judge = judgeOf({ jwksUrl: issuer.jwksUrl, backOffMs: 3_000 });
    for (let count = 0; count < 5; count += 1) expect(await judge()).toBe('unavailable');
    expect(fetchCount()).toBe(1);
    issuer.mode = 'up';
    await eventually(async () => (await judge()) === 'taken');
    expect(fetchCount()).toBe(2);
  });

  it('takes nobody away whose key is known', async () => {
    const judge = judgeOf();
    const token = await issuer.token();
    expect(await judge(token)).toBe('taken');
    issuer.mode = 'down';
    expect(await judge(token)).toBe('taken');
  });
});

describe('the metadata', () => {
  it('may be where RFC 8414 has it', async () => {
    issuer.metadataPath = OAUTH;
    expect(await judgeOf()()).toBe('taken');
    expect(issuer.asked).toEqual([OAUTH, '/jwks']);
  });

  it.each([`${OAUTH}/realms/a`, `${OPENID}/realms/a`, `/realms/a${OPENID}`])(
    'of an issuer with a path may be at %s',
    async (place) => {
      issuer = await startTokenIssuer({ audience, path: '/realms/a' });
      issuer.metadataPath = place;
      expect(await judgeOf()()).toBe('taken');
      expect(issuer.asked.slice(-2)).toEqual([place, '/realms/a/jwks']);
    },
  );

  it('of another issuer is not believed', async () => {
    const other = new URL(issuer.url);
    other.hostname = 'localhost';
    expect(await judgeOf({ issuer: other.origin })()).toBe('unavailable');
    expect(fetchCount()).toBe(0);
  });

  it('that is nowhere makes the issuer unavailable', async () => {
    issuer.metadataPath = '/elsewhere';
    expect(await judgeOf()()).toBe('unavailable');
  });
});
