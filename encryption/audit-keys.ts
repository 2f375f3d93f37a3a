/** The keys under which the audit is chained: their own, or made from those that sign decisions. */
import { createHash, hkdfSync } from 'node:crypto';
import type { AuditKey, AuditKeys } from '../protocol/audit-key.ts';
import { ConfigError } from '../protocol/config-error.ts';
import { readSecretVariable } from '../store/secret-variable.ts';
import { parseHexKeys, type DecisionKeys } from './decision-signing.ts';

/** An audit outlives many keys. */
const MAX_KEYS = 20;
const KEY_BYTES = 32;

/**
 * `AUDIT_KEY`, the newest first, and behind it keys that follow from `decisionKeys`, and are lost with them.
 * @throws ConfigError that holds nothing of a key
 */
export async function readAuditKeys(
  variables: Readonly<Record<string, string>>,
  decisionKeys: DecisionKeys,
): Promise<AuditKeys> {
  try {
    const text = await readSecretVariable(variables, 'AUDIT_KEY');
    const derived = derivedFrom(decisionKeys);
    return text === undefined ? derived : [...named(parseHexKeys(text, MAX_KEYS, 'AUDIT_KEY: ')), ...derived];
  } catch (error: unknown) {
    throw new ConfigError([error instanceof Error ? error.message : 'AUDIT_KEY: cannot be read'], { cause: error });
  }
}

function derivedFrom(keys: DecisionKeys): AuditKeys {
  const derive = (key: Uint8Array): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), 'durable-mcp-tasks audit', KEY_BYTES));
  const [newest, ...former] = keys;
  return named([derive(newest), ...former.map(derive)]);
}

function named([newest, ...former]: readonly [Uint8Array, ...Uint8Array[]]): AuditKeys {
  return [withId(newest), ...former.map(withId)];
}

/** The id tells nothing of the key. */
function withId(key: Uint8Array): AuditKey {
  return { id: createHash('sha256').update('audit key id\0').update(key).digest('hex').slice(0, 16), key };
}
