/**
 * The mark of a front server on what a person decided. Workers check it before the decision has any effect, so that somebody
 * who can only write to Temporal approves nothing.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { resolve } from 'node:path';
import { decisionText, type Decision, type SignedDecision } from '../protocol/decision.ts';
import { ConfigError } from '../protocol/config-error.ts';
import { readSecretVariable } from '../store/secret-variable.ts';
import { readOrCreateSecret } from './secret-file.ts';

/** Newest first: a decision is signed with the newest, and taken under each. */
export type DecisionKeys = readonly [newest: Uint8Array, ...former: Uint8Array[]];

const KEY_BYTES = 32;
const MAX_KEYS = 2;

/**
 * `DECISION_KEY`, one key or while it is being replaced two, or the one of the data folder, which is made on first use.
 * @throws ConfigError that holds nothing of a key
 */
export async function readDecisionKeys(variables: Readonly<Record<string, string>>): Promise<DecisionKeys> {
  const text = await readSecretVariable(variables, 'DECISION_KEY').catch((error: unknown) => {
    throw new ConfigError([messageOf(error)], { cause: error });
  });
  if (text === undefined) {
    return readOrCreateSecret(resolve(variables['DATA_DIR'] ?? '.data'), {
      fileName: 'decision.key',
      what: 'the key that signs decisions',
      create: () => randomBytes(KEY_BYTES).toString('hex'),
      parse: (written) => parseHexKeys(written, MAX_KEYS),
    });
  }
  try {
    return parseHexKeys(text, MAX_KEYS);
  } catch (error) {
    throw new ConfigError([`DECISION_KEY: ${messageOf(error)}`], { cause: error });
  }
}

/** @throws Error that begins with `what` and holds nothing of a key */
export function parseHexKeys(text: string, maxKeys: number, what = ''): DecisionKeys {
  const written = text.split(',').map((key) => key.trim());
  const [newest, ...former] = written
    .filter((key) => /^[0-9a-f]+$/i.test(key) && key.length === 2 * KEY_BYTES)
    .map((key) => Buffer.from(key, 'hex'));
  if (newest === undefined || former.length + 1 !== written.length || written.length > maxKeys) {
    const count = maxKeys === 2 ? 'one key or two' : `one key to ${String(maxKeys)}`;
    throw new Error(`${what}must hold ${count}, each of ${String(2 * KEY_BYTES)} hex digits, the newest first`);
  }
  return [newest, ...former];
}

export function signDecision([newest]: DecisionKeys, decision: Decision): SignedDecision {
  return { decision, signature: signatureOf(newest, decision) };
}

export function isSigned(keys: DecisionKeys, { decision, signature }: SignedDecision): boolean {
  const shown = Buffer.from(signature, 'hex');
  return keys.some((key) => {
    const right = Buffer.from(signatureOf(key, decision), 'hex');
    return shown.length === right.length && timingSafeEqual(shown, right);
  });
}

/** Of the text that `shownText` makes of an approval. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function signatureOf(key: Uint8Array, decision: Decision): string {
  return createHmac('sha256', key).update(decisionText(decision)).digest('hex');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'cannot be used';
}
