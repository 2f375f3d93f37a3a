/** Where a client may name its call: `_meta`, the header `Idempotency-Key`, or the argument of a tool with effects. */
import { IDEMPOTENCY_KEY_META } from '../protocol/extension.ts';
import { invalidParams } from './errors.ts';
import { IDEMPOTENCY_KEY_PATTERN } from './tool-contract.ts';

export interface KeySources {
  readonly meta?: unknown;
  readonly header?: string | undefined;
  readonly argument?: string | undefined;
}

/** @throws ProtocolError when a key is malformed or two places disagree */
export function readIdempotencyKey(sources: KeySources): string | undefined {
  const given = [sources.meta, unquote(sources.header), sources.argument].filter((key) => key !== undefined);
  const keys = new Set(given.map(checked));
  if (keys.size > 1) {
    throw invalidParams(
      `The idempotency key is given in several places (_meta["${IDEMPOTENCY_KEY_META}"], header Idempotency-Key, ` +
        'argument idempotencyKey) and they differ. Send one key, or the same key everywhere.',
    );
  }
  return [...keys][0];
}

function checked(key: unknown): string {
  if (typeof key === 'string' && IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  throw invalidParams('The idempotency key must be a string of 1 to 255 visible characters.');
}

/** The header's draft standard writes the key as a quoted string; most clients write it bare. */
function unquote(header: string | undefined): string | undefined {
  return header?.replace(/^"(.*)"$/, '$1');
}
