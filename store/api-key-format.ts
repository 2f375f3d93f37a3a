/**
 * How an API key is written: `mcp_<environment>_<key id>_<secret>_<checksum>`, in lower-case letters and digits. The
 * checksum lets a mistyped or cut key be refused before anything is looked up, and lets scanners of leaked secrets tell
 * a key of ours from chance.
 */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export interface ApiKeyText {
  /** Where the key is meant to be used, such as `live`; a hint for people. */
  readonly environment: string;
  /** 16 hex digits. Not secret: it stands in lists and logs. */
  readonly keyId: string;
  /** 32 bytes. Nobody but the holder keeps it. */
  readonly secret: Buffer;
}

const KEY_ID_BYTES = 8;
const SECRET_BYTES = 32;
const PATTERN = /^(mcp_([a-z0-9]{1,16})_([0-9a-f]{16})_([0-9a-f]{64}))_([0-9a-f]{8})$/;

export function mintApiKey(environment: string): ApiKeyText {
  return {
    environment,
    keyId: randomBytes(KEY_ID_BYTES).toString('hex'),
    secret: randomBytes(SECRET_BYTES),
  };
}

export function formatApiKey({ environment, keyId, secret }: ApiKeyText): string {
  const text = `mcp_${environment}_${keyId}_${secret.toString('hex')}`;
  return `${text}_${checksumOf(text)}`;
}

/** `undefined`: not a key of ours, or not written as it was given out. Needs no store. */
export function parseApiKey(text: string): ApiKeyText | undefined {
  const [, checked, environment, keyId, secret, checksum] = PATTERN.exec(text) ?? [];
  if (checked === undefined || environment === undefined || keyId === undefined || secret === undefined)
    return undefined;
  if (checksum !== checksumOf(checked)) return undefined;
  return { environment, keyId, secret: Buffer.from(secret, 'hex') };
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
