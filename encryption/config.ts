/** What concerns encryption in the environment of a front, a worker or a script. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { ConfigError } from '../protocol/config-error.ts';
import { readSecretVariable } from '../store/secret-variable.ts';
import { newKeyRingText, parseKeyRing, type KeyRing } from './key-ring.ts';
import { readOrCreateSecret, type SecretFile } from './secret-file.ts';

/** What a front needs beyond the keys that all processes need. */
export interface Encryption {
  readonly keyRing: KeyRing;
  /** Opens the codec endpoint, behind which everything is in clear. */
  readonly codecToken: string;
}

type Variables = Readonly<Record<string, string>>;

const KEYS: SecretFile<KeyRing> = {
  fileName: 'encryption.keys',
  what: 'the encryption keys',
  create: newKeyRingText,
  parse: parseKeyRing,
};
const TOKEN: SecretFile<string> = {
  fileName: 'codec.token',
  what: 'the token of the codec endpoint',
  create: () => `${randomBytes(32).toString('base64url')}\n`,
  parse: parseToken,
};

/**
 * The keys of `ENCRYPTION_KEYS`, or those of the data folder, which are made on first use. `undefined`: `ENCRYPTION=off`.
 * @throws ConfigError that holds nothing of a key
 */
export async function readKeyRing(variables: Variables): Promise<KeyRing | undefined> {
  const value = variables['ENCRYPTION'] ?? 'on';
  if (value !== 'on' && value !== 'off') throw new ConfigError(['ENCRYPTION: must be on or off']);
  return value === 'off' ? undefined : readSecret(variables, 'ENCRYPTION_KEYS', KEYS);
}

/** As `readKeyRing`, and `CODEC_TOKEN`, or that of the data folder. */
export async function readEncryption(variables: Variables): Promise<Encryption | undefined> {
  const keyRing = await readKeyRing(variables);
  return keyRing && { keyRing, codecToken: await readSecret(variables, 'CODEC_TOKEN', TOKEN) };
}

async function readSecret<Secret>(variables: Variables, name: string, kept: SecretFile<Secret>): Promise<Secret> {
  const text = await readSecretVariable(variables, name).catch((error: unknown) => {
    throw new ConfigError([messageOf(error)], { cause: error });
  });
  if (text === undefined) return readOrCreateSecret(resolve(variables['DATA_DIR'] ?? '.data'), kept);
  try {
    return kept.parse(text);
  } catch (error) {
    throw new ConfigError([`${name}: ${messageOf(error)}`], { cause: error });
  }
}

/** It travels in headers and cookies. */
function parseToken(text: string): string {
  if (/^[\w-]{32,}$/.test(text.trim())) return text.trim();
  throw new Error('must be at least 32 letters, digits, dashes and underscores');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'cannot be used';
}
