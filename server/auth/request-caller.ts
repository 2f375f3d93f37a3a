/** The caller on its way through the SDK, from the door that signed it in to the server of the one request. */
import type { AuthInfo, McpRequestContext } from '@modelcontextprotocol/server';
import type { Caller } from '../caller.ts';

/** Without the token: what is not there cannot leak. */
export function toAuthInfo(caller: Caller): AuthInfo {
  return { token: '', clientId: '', scopes: [], extra: { caller } };
}

/** @throws when the door has let a request in without asking who sends it */
export function requestCaller({ authInfo }: McpRequestContext): Caller {
  const caller = authInfo?.extra?.['caller'];
  if (caller === undefined) throw new Error('A request came in without a caller.');
  return caller as Caller;
}
