/**
 * An error that answers `initialize`. Whoever sends that has no other way to learn which versions are served, and often
 * shows its user nothing but this message. Spec: versioning, Backward Compatibility with Initialization-Based Versions.
 */
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { PROTOCOL_VERSION } from '../protocol/extension.ts';
import { isJsonObject, ownMember } from '../protocol/own-member.ts';
import type { RpcError } from '../protocol/task.ts';

/** The newest first. The first one has no `initialize`, and all others begin with it. */
const SERVED_VERSIONS: readonly string[] = [PROTOCOL_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS];

const VERSIONS_TEXT =
  `This server serves ${PROTOCOL_VERSION}, which needs no initialize, and by a plain initialize ` +
  `${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`;

/** With the versions in words and as `data.supported`, the member of -32022; its code stays. Data of another shape stays too. */
export function namingVersions<E extends RpcError>(error: E): E {
  const { message, data } = error;
  if (ownMember(data, 'supported') !== undefined || (data !== undefined && !isJsonObject(data))) return error;
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return { ...error, message: `${sentence} ${VERSIONS_TEXT}`, data: { ...data, supported: [...SERVED_VERSIONS] } };
}
