/** The gate of a front, as its configuration says. */
import { ConfigError } from '../../protocol/config-error.ts';
import { ApiKeys } from '../../store/api-keys.ts';
import type { Store } from '../../store/open-store.ts';
import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import { createFailedSignIns } from '../limits/failed-sign-ins.ts';
import { httpOrigin } from '../http-origin.ts';
import type { Log } from '../log.ts';
import { createApiKeyVerifier } from './api-key-verifier.ts';
import type { CredentialVerifier } from './credential.ts';
import { createGate, openGate, type Gate } from './gate.ts';
import { createJwtVerifier } from './jwt-verifier.ts';
import { createProtectedResource } from './protected-resource.ts';

export interface GateOptions {
  readonly config: Pick<Config, 'auth' | 'inbox' | 'principalRing' | 'storeConfig' | 'host' | 'port' | 'limits'>;
  /** Who everybody is where nobody is asked. */
  readonly localCaller: Caller;
  readonly database: Store | undefined;
  readonly log: Log;
}

/** @throws ConfigError when API keys are to be taken and there is nothing to check them by */
export function gateOf({ config, localCaller, database, log }: GateOptions): Gate {
  const { auth, inbox, principalRing, storeConfig, limits } = config;
  if (auth === undefined) return openGate(localCaller);
  const { jwt, takesApiKeys, publicUrl } = auth;
  const rolesClaim = inbox === undefined || inbox.signIn === 'local' ? undefined : inbox.signIn.rolesClaim;
  const mcpUrl = new URL('/mcp', publicUrl ?? httpOrigin(config));
  return createGate({
    verifiers: [
      ...(jwt === undefined ? [] : [createJwtVerifier({ ...jwt, rolesClaim })]),
      ...(takesApiKeys ? [apiKeyVerifierOf({ storeConfig, database, log })] : []),
    ],
    principalRing,
    resource: jwt && createProtectedResource({ mcpUrl, resource: jwt.audience, issuer: jwt.issuer }),
    failedSignIns: createFailedSignIns(limits.failedSignInsPerMinute, database),
    log,
  });
}

/** @throws ConfigError when there is nothing to check a key by */
export function apiKeyVerifierOf({
  storeConfig: { pepper },
  database,
  log,
}: Pick<GateOptions, 'database' | 'log'> & Pick<GateOptions['config'], 'storeConfig'>): CredentialVerifier {
  if (database === undefined || pepper === undefined) {
    throw new ConfigError([
      ...(database === undefined ? ['DATABASE_URL: API keys stand in the store; name it'] : []),
      ...(pepper === undefined ? ['API_KEY_PEPPER: API keys are hashed under it; name it'] : []),
    ]);
  }
  return createApiKeyVerifier({ records: new ApiKeys(database.db, pepper), pepper, log });
}
