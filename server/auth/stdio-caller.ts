/** Who speaks over stdio: the user who started the process, or whom the API key in its environment stands for. */
import { ConfigError } from '../../protocol/config-error.ts';
import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import { callerOf } from '../principal.ts';
import { apiKeyVerifierOf, type GateOptions } from './open-gate.ts';

interface StdioCallerOptions extends Omit<GateOptions, 'config'> {
  readonly config: Pick<Config, 'apiKey' | 'principalRing' | 'storeConfig'>;
}

/** @throws ConfigError for a key that is not good; it holds nothing of the key */
export async function stdioCaller({ config, localCaller, database, log }: StdioCallerOptions): Promise<Caller> {
  const { apiKey, principalRing, storeConfig } = config;
  if (apiKey === undefined) return localCaller;
  const verdict = await apiKeyVerifierOf({ storeConfig, database, log }).verify(apiKey);
  if ('fault' in verdict) throw new ConfigError([`MCP_API_KEY: ${verdict.fault.text}`]);
  return callerOf(principalRing, verdict.credential, verdict.credential);
}
