/** Where an issuer keeps its keys, as its metadata says. Spec: RFC 8414 section 3, OpenID Connect Discovery section 4. */
import { z } from 'zod';

const metadata = z.object({ issuer: z.string(), jwks_uri: z.url() });

/**
 * Asks the well-known places one by one. Whatever is there but is not this issuer's metadata counts as not there.
 * @throws when none of them has it, and what `fetch` throws
 */
export async function discoverJwksUrl(issuer: string, signal: AbortSignal): Promise<URL> {
  for (const place of metadataPlaces(issuer)) {
    const response = await fetch(place, { signal, redirect: 'manual', headers: { accept: 'application/json' } });
    const text = await response.text();
    const jwksUrl = response.status === 200 ? readJwksUrl(text, issuer) : undefined;
    if (jwksUrl !== undefined) return jwksUrl;
  }
  throw new Error(`No metadata of the issuer ${issuer}, with a jwks_uri that can be trusted, is where it should be.`);
}

/** In the order that MCP gives its clients. Spec: authorization-server-discovery, Authorization Server Metadata Discovery. */
export function metadataPlaces(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  return [...new Set(places)];
}

/** Keys that anybody on the way could replace are no keys: only https, or this machine. */
export function isTrustedUrl({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

function readJwksUrl(text: string, issuer: string): URL | undefined {
  const parsed = metadata.safeParse(parseJson(text));
  // Metadata under another name is another issuer's, whoever put it there.
  if (!parsed.success || parsed.data.issuer !== issuer) return undefined;
  const url = new URL(parsed.data.jwks_uri);
  return isTrustedUrl(url) ? url : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
