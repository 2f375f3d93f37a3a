/** What concerns the inbox, in the environment of a front. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readDecisionKeys, type DecisionKeys } from '../../encryption/decision-signing.ts';
import { ConfigError } from '../../protocol/config-error.ts';
import { readSecretVariable } from '../../store/secret-variable.ts';
import type { AuthConfig } from '../auth/auth-config.ts';
import { isTrustedUrl } from '../auth/issuer-metadata.ts';
import { LOCAL_ISSUER } from '../local-caller.ts';
import { ApproversFault, readApprovers } from './approvers.ts';
import { INBOX_PATH } from './paths.ts';

export interface InboxConfig {
  readonly approversFile: string;
  readonly decisionKeys: DecisionKeys;
  /** Where people reach it, such as `https://host/inbox`. Absent: where the server listens. */
  readonly url: URL | undefined;
  /** `local`: whoever is at the machine says whom they play. */
  readonly signIn: 'local' | OidcConfig;
}

/** A client of the issuer whose access tokens are taken. */
export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret: string | undefined;
  /** Where the issuer sends people back: that very page. */
  readonly url: URL;
  /** The claim that holds the roles of a person. */
  readonly rolesClaim: string;
  readonly tenantClaim: string | undefined;
}

/** Who names the people that sign in. */
export function issuerOf({ signIn }: Pick<InboxConfig, 'signIn'>): string {
  return signIn === 'local' ? LOCAL_ISSUER : signIn.issuer;
}

const inboxUrl = z
  .string()
  .refine((text) => URL.canParse(text) && isTrustedUrl(new URL(text)) && isBare(new URL(text)), {
    error: `must be an https URL (http only on the loopback) that ends in ${INBOX_PATH}, such as https://host${INBOX_PATH}`,
  })
  .transform((text) => new URL(text));

const environment = z.object({
  APPROVERS_FILE: z.string().optional(),
  INBOX_URL: z.string().pipe(inboxUrl).optional(),
  INBOX_CLIENT_ID: z.string().optional(),
  INBOX_ROLES_CLAIM: z.string().default('groups'),
});

/**
 * `undefined`: nobody could sign in, so that there is no inbox.
 * @throws ConfigError that lists every problem and holds nothing of a secret
 */
export async function readInbox(
  variables: Readonly<Record<string, string>>,
  auth: AuthConfig | undefined,
): Promise<InboxConfig | undefined> {
  const parsed = environment.safeParse(variables);
  if (!parsed.success) throw new ConfigError(parsed.error.issues);
  const { APPROVERS_FILE, INBOX_URL: url, INBOX_CLIENT_ID: clientId, INBOX_ROLES_CLAIM: rolesClaim } = parsed.data;
  const signIn = auth === undefined ? 'local' : await readOidc(variables, auth, { clientId, url, rolesClaim });
  if (signIn === undefined) return undefined;
  const approversFile = APPROVERS_FILE ?? fileURLToPath(new URL('../../policy/approvers.json', import.meta.url));
  await readApprovers(approversFile).catch((error: unknown) => {
    throw error instanceof ApproversFault ? new ConfigError([error.message], { cause: error }) : error;
  });
  return { approversFile, decisionKeys: await readDecisionKeys(variables), url, signIn };
}

async function readOidc(
  variables: Readonly<Record<string, string>>,
  { jwt }: AuthConfig,
  { clientId, url, rolesClaim }: { clientId: string | undefined; url: URL | undefined; rolesClaim: string },
): Promise<OidcConfig | undefined> {
  if (clientId === undefined) return undefined;
  if (jwt === undefined)
    throw new ConfigError(['INBOX_CLIENT_ID: people sign in at AUTH_ISSUER, which needs AUTH=jwt']);
  if (url === undefined) throw new ConfigError(['INBOX_URL: is needed by INBOX_CLIENT_ID: people are sent back there']);
  const clientSecret = await readSecretVariable(variables, 'INBOX_CLIENT_SECRET').catch((error: unknown) => {
    const problem = error instanceof Error ? error.message : 'INBOX_CLIENT_SECRET: cannot be read';
    throw new ConfigError([problem], { cause: error });
  });
  return { issuer: jwt.issuer, clientId, clientSecret, url, rolesClaim, tenantClaim: jwt.tenantClaim };
}

function isBare({ pathname, search, hash, username }: URL): boolean {
  return pathname.replace(/\/$/, '') === INBOX_PATH && search === '' && hash === '' && username === '';
}
