/** The value of `WWW-Authenticate`. Spec: RFC 6750 section 3, RFC 9728 section 5.1, authorization, Error Handling. */

export interface Challenge {
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  readonly description?: string;
  readonly scopes: readonly string[];
  /** Where a client learns who issues tokens; absent where nobody does. */
  readonly resourceMetadataUrl?: string;
}

export function wwwAuthenticate({ error, description, scopes, resourceMetadataUrl }: Challenge): string {
  const parameters = {
    resource_metadata: resourceMetadataUrl,
    scope: scopes.length === 0 ? undefined : scopes.join(' '),
    error,
    error_description: description,
  };
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quoted(value)}`],
  );
  return ['Bearer', written.join(', ')].join(' ').trimEnd();
}

/** Outside visible ASCII a header has no agreed meaning, and a line break would begin another one. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\x20-\x7e]/g, ' ').replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}
