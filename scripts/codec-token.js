/** What opens the codec endpoint, as the front reads it: from `CODEC_TOKEN`, a file, or the data folder. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setting } from './settings.js';

/** `undefined`: encryption is off, or no front has made the token yet. */
export async function readCodecToken(dataDir, env = process.env) {
  if (setting(env, 'ENCRYPTION') === 'off') return undefined;
  const path = setting(env, 'CODEC_TOKEN_FILE') ?? join(dataDir, 'codec.token');
  const text = setting(env, 'CODEC_TOKEN') ?? (await readFile(path, 'utf8').catch(() => ''));
  return text.trim() || undefined;
}
