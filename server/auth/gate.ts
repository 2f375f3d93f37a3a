/**
 * Who may pass the HTTP door, and how far. A request is signed in by its headers, before a byte of its body is read; what
 * it needs beyond that is known once its message is.
 */
import type { Caller } from '../caller.ts';
import type { Log } from '../log.ts';
import type { PrincipalRing } from '../principal.ts';
import type { Refusal } from '../refusal.ts';
import type { RpcMessage } from '../rpc-message.ts';
import type { ToolContracts } from '../tool-contract.ts';
import { createAuthenticate, type FailedSignIns, type SignInRefusal, type SignInRequest } from './authenticate.ts';
import { refuseScopes, refuseSignIn } from './auth-refusals.ts';
import type { CredentialVerifier } from './credential.ts';
import { ungrantedScopes } from './message-scopes.ts';
import type { ProtectedResource } from './protected-resource.ts';
import { missingScopes } from './scopes.ts';

/** `kind`: for who counts them. */
export interface RefusedSignIn {
  readonly refusal: Refusal;
  readonly kind: SignInRefusal['kind'];
}

export interface Gate {
  /** Absent where no access token is taken. */
  readonly resource: ProtectedResource | undefined;
  signIn(request: SignInRequest): Promise<{ readonly caller: Caller } | RefusedSignIn>;
  /** `undefined`: the caller was granted all that the message needs. */
  refuseScopes(caller: Caller, message: RpcMessage, contracts: ToolContracts): Refusal | undefined;
  /** The same of what is no message: `undefined` when the caller was granted all of `required`. */
  refuseWithout(caller: Caller, required: readonly string[]): Refusal | undefined;
  /** Whether a stream that was opened by `request` may go on; also while nobody can tell. */
  isStillGood(request: SignInRequest): Promise<boolean>;
}

/** Nobody is asked: `AUTH=none`. */
export function openGate(caller: Caller): Gate {
  return {
    resource: undefined,
    signIn: () => Promise.resolve({ caller }),
    refuseScopes: () => undefined,
    refuseWithout: () => undefined,
    isStillGood: () => Promise.resolve(true),
  };
}

export interface GateParts {
  readonly verifiers: readonly CredentialVerifier[];
  readonly principalRing: PrincipalRing;
  readonly resource: ProtectedResource | undefined;
  readonly failedSignIns?: FailedSignIns;
  readonly log: Log;
}

export function createGate({ resource, ...parts }: GateParts): Gate {
  const authenticate = createAuthenticate(parts);
  const metadataUrl = resource?.metadataUrl;
  return {
    resource,
    async signIn(request) {
      const signIn = await authenticate(request);
      if ('caller' in signIn) return signIn;
      return { refusal: refuseSignIn(signIn.refusal, metadataUrl), kind: signIn.refusal.kind };
    },
    refuseScopes(caller, message, contracts) {
      const required = ungrantedScopes(caller, message, contracts);
      return required && refuseScopes(required, metadataUrl, message.id);
    },
    refuseWithout({ scopes }, required) {
      return missingScopes(required, scopes).length === 0 ? undefined : refuseScopes(required, metadataUrl);
    },
    async isStillGood(request) {
      const signIn = await authenticate(request);
      return 'caller' in signIn || signIn.refusal.kind === 'unavailable' || signIn.refusal.kind === 'throttled';
    },
  };
}
