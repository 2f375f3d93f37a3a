import { IDEMPOTENCY_KEY_META } from '../../protocol/extension.ts';
import { isJsonObject, ownMember } from '../../protocol/own-member.ts';
import { readIdempotencyKey } from '../idempotency-key.ts';
import type { RpcMessage } from '../rpc-message.ts';
import type { ToolContracts } from '../tool-contract.ts';

/**
 * The idempotency key of a `tools/call`, read before the call is. `header`: as HTTP carries it. `undefined`: none, or one
 * that the call will be refused for.
 */
export function callKey(
  params: RpcMessage['params'],
  header: string | undefined,
  contracts: ToolContracts,
): string | undefined {
  const [name, args] = [ownMember(params, 'name'), ownMember(params, 'arguments')];
  const contract = typeof name === 'string' ? contracts.get(name) : undefined;
  const parsed = isJsonObject(args) ? contract?.parseArguments(args) : undefined;
  const argument = parsed?.ok === true ? parsed.idempotencyKey : undefined;
  try {
    return readIdempotencyKey({ meta: ownMember(ownMember(params, '_meta'), IDEMPOTENCY_KEY_META), header, argument });
  } catch {
    return undefined;
  }
}
