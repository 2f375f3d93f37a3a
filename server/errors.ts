/**
 * Anything thrown becomes a JSON-RPC error here, once. A message says what is wrong and what to do; what lies behind it
 * (hosts, stacks, codes of other systems) goes to the log alone.
 */
import { MissingRequiredClientCapabilityError, ProtocolError } from '@modelcontextprotocol/server';
import {
  IDEMPOTENCY_CONFLICT,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  TASKS_EXTENSION,
  TOO_MANY_ANSWERS,
} from '../protocol/extension.ts';
import type { InputFeature } from '../protocol/input-feature.ts';
import type { RpcError } from '../protocol/task.ts';
import { BlobStoreError } from '../store/blobs.ts';
import { StoreDown } from '../store/store-down.ts';
import { IdempotencyConflict, PayloadTooLarge, StoreUnavailable, TaskNotFound, TooManyAnswers } from './task-store.ts';
import type { Log } from './log.ts';

/** The same words for unknown, malformed, expired and foreign ids: nothing to probe, nothing echoed. */
export const TASK_NOT_FOUND_TEXT =
  'No such task. The taskId is unknown or has expired, or the task belongs to another caller. Call the tool again.';
export const RESOURCE_NOT_FOUND_TEXT =
  'No such resource. The URI is unknown or has expired, or the task belongs to another caller. See resources/list.';
/** The same words for a state that was changed, has expired, or was made for another caller or another call. */
export const REQUEST_STATE_TEXT =
  'The requestState cannot be used: it was changed, has expired, or belongs to another call. Call the tool again without ' +
  'it. A task that runs already goes on.';
const UNAVAILABLE_TEXT = 'The server cannot reach its task store at the moment. Try again in a few seconds.';
const CONFLICT_TEXT =
  'This idempotency key was used for a call with other arguments. Use a new key, or repeat the first call unchanged.';
const TOO_MANY_ANSWERS_TEXT =
  'This task has taken as many answers as it may. Cancel it, and call the tool again for what is left to do.';
const UNFORESEEN_TEXT =
  'Internal error. The cause is in the log of this server: try again, or tell its operator the time of this call.';

export function toProtocolError(error: unknown, log: Log, method: string): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof TaskNotFound) return new ProtocolError(INVALID_PARAMS, TASK_NOT_FOUND_TEXT);
  if (error instanceof IdempotencyConflict) return new ProtocolError(IDEMPOTENCY_CONFLICT, CONFLICT_TEXT);
  if (error instanceof TooManyAnswers) return new ProtocolError(TOO_MANY_ANSWERS, TOO_MANY_ANSWERS_TEXT);
  if (error instanceof PayloadTooLarge) return invalidParams(error.message);
  log.error({ err: error, method }, 'request failed');
  const isOutage = [StoreUnavailable, BlobStoreError, StoreDown].some((outage) => error instanceof outage);
  return new ProtocolError(INTERNAL_ERROR, isOutage ? UNAVAILABLE_TEXT : UNFORESEEN_TEXT);
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message);
}

/** The call is not to be made in this way. */
export function methodNotFound(message: string): ProtocolError {
  return new ProtocolError(METHOD_NOT_FOUND, message);
}

/** The resource is not there for this caller. The data is how a client tells this from other invalid parameters. */
export function resourceNotFound(uri: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, RESOURCE_NOT_FOUND_TEXT, uri.length <= 500 ? { uri } : undefined);
}

/** The error of a failed task, as the plain call would have answered. */
export function failedWith(error: RpcError): ProtocolError {
  return new ProtocolError(error.code, error.message, error.data);
}

export type Missing = 'tasks' | InputFeature;
interface Capability {
  readonly name: string;
  readonly declared: Readonly<Record<string, object>>;
}
const CAPABILITIES: Readonly<Record<Missing, Capability>> = {
  tasks: { name: `extensions["${TASKS_EXTENSION}"]`, declared: { extensions: { [TASKS_EXTENSION]: {} } } },
  elicitationForm: { name: 'elicitation.form', declared: { elicitation: { form: {} } } },
  elicitationUrl: { name: 'elicitation.url', declared: { elicitation: { url: {} } } },
  sampling: { name: 'sampling', declared: { sampling: {} } },
  roots: { name: 'roots', declared: { roots: {} } },
};

/** As a client would declare it, `elicitation.form`. */
export function capabilityName(missing: Missing): string {
  return CAPABILITIES[missing].name;
}

/** Spec: -32021 with `requiredCapabilities`; HTTP 400. */
export function missingCapability(what: string, missing: readonly Missing[]): ProtocolError {
  const names = missing.map(capabilityName).join(' and ');
  const requiredCapabilities: Record<string, object> = {};
  for (const { declared } of missing.map((capability) => CAPABILITIES[capability])) {
    for (const [name, members] of Object.entries(declared)) {
      requiredCapabilities[name] = { ...requiredCapabilities[name], ...members };
    }
  }
  return new MissingRequiredClientCapabilityError(
    { requiredCapabilities },
    `${what} needs the client capability ${names}. Declare it in the _meta of the request.`,
  );
}
