import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { readEncryption, readKeyRing } from '../../../encryption/config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const KEYS = `a:${Buffer.alloc(32, 'a').toString('base64')}`;
const TOKEN = 'a-token-of-thirty-two-characters';

let DATA_DIR: string;
beforeEach(async () => {
  DATA_DIR = await temporaryFolder();
});

const inFolder = (name: string): string => join(DATA_DIR, name);

describe('readKeyRing', () => {
  it('makes a key in the data folder, for its owner only, and reads it from then on', async () => {
    const first = await readKeyRing({ DATA_DIR });
    const second = await readKeyRing({ DATA_DIR });
    expect(first?.newest.id).toMatch(/^k[0-9a-f]{12}$/);
    expect(second?.newest).toEqual(first?.newest);
    expect((await stat(inFolder('encryption.keys'))).mode & 0o777).toBe(0o600);
  });

  it('is the same for all who start at once', async () => {
    const rings = await Promise.all(Array.from({ length: 20 }, () => readKeyRing({ DATA_DIR })));
    expect(new Set(rings.map((ring) => ring?.newest.key.export().toString('hex'))).size).toBe(1);
  });

  it('prefers ENCRYPTION_KEYS, or the file that is named, and makes none then', async () => {
    await writeFile(inFolder('secret'), `${KEYS}\n`);
    expect((await readKeyRing({ DATA_DIR, ENCRYPTION_KEYS: KEYS }))?.newest.id).toBe('a');
    expect((await readKeyRing({ DATA_DIR, ENCRYPTION_KEYS_FILE: inFolder('secret') }))?.newest.id).toBe('a');
    await expect(stat(inFolder('encryption.keys'))).rejects.toThrow('ENOENT');
  });

  it('is nothing when encryption is off', async () => {
    expect(await readKeyRing({ DATA_DIR, ENCRYPTION: 'off', ENCRYPTION_KEYS: KEYS })).toBeUndefined();
  });

  it('refuses another word for off, so that nobody writes in clear by a slip', async () => {
    await expect(readKeyRing({ DATA_DIR, ENCRYPTION: 'none' })).rejects.toThrow('ENCRYPTION: must be on or off');
  });

  it('names the variable and the key that is wrong', async () => {
    const read = readKeyRing({ DATA_DIR, ENCRYPTION_KEYS: 'mine:c2VjcmV0' });
    await expect(read).rejects.toThrow('ENCRYPTION_KEYS: the key "mine" is not base64 of exactly 32 bytes');
    await expect(read).rejects.not.toThrow('c2VjcmV0');
  });

  it('never replaces a damaged file', async () => {
    await writeFile(inFolder('encryption.keys'), 'damaged');
    await expect(readKeyRing({ DATA_DIR })).rejects.toThrow('DATA_DIR: encryption.keys entry 1 does not begin with');
    expect(await readFile(inFolder('encryption.keys'), 'utf8')).toBe('damaged');
  });
});

describe('readEncryption', () => {
  it('makes a token beside the keys, for its owner only, and reads it from then on', async () => {
    const first = await readEncryption({ DATA_DIR });
    expect(first?.codecToken).toMatch(/^[\w-]{43}$/);
    expect((await readEncryption({ DATA_DIR }))?.codecToken).toBe(first?.codecToken);
    expect((await stat(inFolder('codec.token'))).mode & 0o777).toBe(0o600);
  });

  it('takes the token of CODEC_TOKEN', async () => {
    expect((await readEncryption({ DATA_DIR, CODEC_TOKEN: TOKEN }))?.codecToken).toBe(TOKEN);
  });

  it.each(['short', `${TOKEN}; Path=/`, `${TOKEN} and more`])(
    'refuses the token %j and does not repeat it',
    async (text) => {
      const read = readEncryption({ DATA_DIR, CODEC_TOKEN: text });
      await expect(read).rejects.toThrow('CODEC_TOKEN: must be at least 32 letters');
      await expect(read).rejects.not.toThrow(text);
    },
  );

  it('makes nothing when encryption is off', async () => {
    expect(await readEncryption({ DATA_DIR, ENCRYPTION: 'off' })).toBeUndefined();
    await expect(stat(inFolder('codec.token'))).rejects.toThrow('ENOENT');
  });
});
