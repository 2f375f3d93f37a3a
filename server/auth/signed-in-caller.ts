import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../caller.ts';
import type { Metrics } from '../metrics.ts';
import { sendRefusal } from '../refusal.ts';
import type { Gate } from './gate.ts';

export interface SigningIn {
  readonly gate: Pick<Gate, 'signIn'>;
  readonly metrics: Pick<Metrics, 'countSignInFailure'>;
}

/** Who sends `request`; `undefined`: nobody, who was told so. */
export async function signedInCaller(
  { gate, metrics }: SigningIn,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Caller | undefined> {
  const signedIn = await gate.signIn(request);
  if ('caller' in signedIn) return signedIn.caller;
  metrics.countSignInFailure(signedIn.kind);
  sendRefusal(response, signedIn.refusal);
  return undefined;
}
