/**
 * One rule for the resource that a token is for: two URIs name the same resource when they are equal as URLs (so the
 * case of scheme and host, and a default port, make no difference), but for one trailing slash. Clients and issuers put
 * that slash and take it away. A text that is no URL names only itself.
 *
 * Spec: authorization, Canonical Server URI.
 */
export function isSameResource(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(uri: string): string {
  return (URL.canParse(uri) ? new URL(uri).href : uri).replace(/\/$/, '');
}
