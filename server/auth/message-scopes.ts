import { approvalTools } from '../approval-tools.ts';
import type { Caller } from '../caller.ts';
import { fallbackTools } from '../fallback-tools.ts';
import type { RpcMessage } from '../rpc-message.ts';
import type { ToolContracts } from '../tool-contract.ts';
import { missingScopes, requiredScopes, type ScopedTool } from './scopes.ts';

/** All scopes that the message needs, when the caller lacks one of them; `undefined`: it may go on. */
export function ungrantedScopes(
  { scopes }: Pick<Caller, 'scopes'>,
  { method, params }: Pick<RpcMessage, 'method' | 'params'>,
  contracts: ToolContracts,
): readonly string[] | undefined {
  const required = requiredScopes(method, method === 'tools/call' ? toolOf(params?.['name'], contracts) : {});
  return missingScopes(required, scopes).length === 0 ? undefined : required;
}

/** A tool that is not there needs what any call needs: who may call nothing does not learn which tools there are. */
function toolOf(name: unknown, contracts: ToolContracts): ScopedTool {
  if (typeof name !== 'string') return {};
  return contracts.get(name)?.tool ?? approvalTools.get(name) ?? fallbackTools.get(name) ?? {};
}
