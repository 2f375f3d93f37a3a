/** Who speaks over stdio: the user who started the process, or whom the API key in its environment stands for. */
import { ConfigError } from '../../protocol/config-error.ts';
import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import { callerOf } from '../principal.ts';
import type { CredentialFault } from './credential.ts';
import { apiKeyVerifierOf, type GateOptions } from './open-gate.ts';

interface StdioCallerOptions extends Omit<GateOptions, 'config'> {
  readonly config: Pick<Config, 'apiKey' | 'principalRing' | 'storeConfig'>;
}

/** What is wrong with the key now; `undefined`: it is good. */
export type AskKey = () => Promise<CredentialFault | undefined>;

export interface StdioCaller {
  readonly caller: Caller;
  /** Asked at each message. Absent where nobody has to sign in. */
  readonly askKey?: AskKey | undefined;
}

/** @throws ConfigError for a key that is not good; it holds nothing of the key */
export async function stdioCaller({ config, localCaller, database, log }: StdioCallerOptions): Promise<StdioCaller> {
  const { apiKey, principalRing, storeConfig } = config;
  if (apiKey === undefined) return { caller: localCaller };
  const verifier = apiKeyVerifierOf({ storeConfig, database, log });
  const verdict = await verifier.verify(apiKey);
  if ('fault' in verdict) throw new ConfigError([`MCP_API_KEY: ${verdict.fault.text}`]);
  return {
    caller: callerOf(principalRing, verdict.credential, verdict.credential),
    async askKey() {
      const now = await verifier.verify(apiKey);
      return 'fault' in now ? now.fault : undefined;
    },
  };
}
