import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { PROTOCOL_VERSION } from '../../protocol/extension.ts';
import { isJsonObject, ownMember } from '../../protocol/own-member.ts';
import type { Caller } from '../caller.ts';
import type { RequestStates } from '../request-state.ts';
import type { RpcMessage } from '../rpc-message.ts';
import type { ToolContracts } from '../tool-contract.ts';

/**
 * Whether a `tools/call` goes on in the task that its state names, and so starts none. Whatever else calls itself a state
 * is refused later, or means nothing: older revisions know no such member, and start a task beside it.
 */
export function goesOn(
  caller: Caller,
  params: RpcMessage['params'],
  contracts: ToolContracts,
  requestStates: Pick<RequestStates, 'open'>,
): boolean {
  const { name, arguments: args = {}, requestState } = params ?? {};
  const isModern = ownMember(ownMember(params, '_meta'), PROTOCOL_VERSION_META_KEY) === PROTOCOL_VERSION;
  if (requestState === undefined || !isModern || typeof name !== 'string' || !isJsonObject(args)) return false;
  const parsed = contracts.get(name)?.parseArguments(args);
  if (parsed?.ok !== true) return false;
  try {
    return requestStates.open({ caller, tool: name, args: parsed.args }, requestState).kind === 'task';
  } catch {
    return false;
  }
}
