/** What concerns signing in, in the environment of a front. */
import { z } from 'zod';
import { ConfigError } from '../../protocol/config-error.ts';
import { isTrustedUrl } from './issuer-metadata.ts';

export interface JwtConfig {
  readonly issuer: string;
  /** The canonical URI of this server as a resource, such as `https://host/mcp`. */
  readonly audience: string;
  /** Default: as the issuer's metadata says. */
  readonly jwksUrl?: URL;
  readonly tenantClaim?: string;
}

export interface AuthConfig {
  /** Absent: no access token is taken. */
  readonly jwt?: JwtConfig;
  /** API keys out of the store are taken. */
  readonly takesApiKeys: boolean;
  /** Where clients reach `/mcp`; default: the address that the server listens on. */
  readonly publicUrl?: string;
}

const WAYS = ['jwt', 'keys'];

const trustedUrl = z.string().refine((text) => URL.canParse(text) && isTrustedUrl(new URL(text)), {
  error: 'must be an https URL (http only on the loopback)',
});

const environment = z
  .object({
    AUTH: z
      .string()
      .default('none')
      .transform((value) => value.split(',').map((way) => way.trim()))
      .refine((ways) => ways.join() === 'none' || ways.every((way) => WAYS.includes(way)), {
        error: 'must be none, jwt, keys or jwt,keys',
      }),
    AUTH_ISSUER: trustedUrl.optional(),
    AUTH_AUDIENCE: z
      .string()
      .refine((text) => URL.canParse(text), { error: 'must be a URL, such as https://host/mcp' })
      .optional(),
    AUTH_JWKS_URL: trustedUrl.optional(),
    AUTH_TENANT_CLAIM: z.string().optional(),
    PUBLIC_URL: trustedUrl.optional(),
  })
  .superRefine((values, context) => {
    if (!values.AUTH.includes('jwt')) return;
    for (const name of ['AUTH_ISSUER', 'AUTH_AUDIENCE'] as const) {
      if (values[name] === undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'is needed by AUTH=jwt' });
    }
  });

/**
 * `undefined`: `AUTH=none`, nobody is asked who they are.
 * @throws ConfigError that lists every problem
 */
export function readAuth(variables: Readonly<Record<string, string>>): AuthConfig | undefined {
  const parsed = environment.safeParse(variables);
  if (!parsed.success) throw new ConfigError(parsed.error.issues);
  const { AUTH, AUTH_ISSUER, AUTH_AUDIENCE, AUTH_JWKS_URL, AUTH_TENANT_CLAIM, PUBLIC_URL } = parsed.data;
  if (AUTH.includes('none')) return undefined;
  const jwt =
    AUTH.includes('jwt') && AUTH_ISSUER !== undefined && AUTH_AUDIENCE !== undefined
      ? {
          issuer: AUTH_ISSUER,
          audience: AUTH_AUDIENCE,
          ...(AUTH_JWKS_URL === undefined ? {} : { jwksUrl: new URL(AUTH_JWKS_URL) }),
          ...(AUTH_TENANT_CLAIM === undefined ? {} : { tenantClaim: AUTH_TENANT_CLAIM }),
        }
      : undefined;
  return {
    ...(jwt === undefined ? {} : { jwt }),
    takesApiKeys: AUTH.includes('keys'),
    ...(PUBLIC_URL === undefined ? {} : { publicUrl: PUBLIC_URL }),
  };
}
