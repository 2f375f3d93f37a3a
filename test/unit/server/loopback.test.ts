import { networkInterfaces } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../server/config.ts';
import { isListening } from '../../../scripts/ports.js';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { atScopeEnd } from '../../support/scope.ts';
import { startTestFront } from '../../support/test-front.ts';
import { verifies } from '../../support/verifies.ts';

/** Every other address of this machine. All of 127.0.0.0/8 leads here on Linux, so there is always one. */
const others = [
  '127.0.0.2',
  ...Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
  ),
];

describe('a front with the default configuration', () => {
  it('is reached on the loopback and on no other address of the machine', async () => {
    verifies('http.loopback');
    const { host } = await readConfig({ DATA_DIR: await temporaryFolder() });
    const { front, url } = await startTestFront({ host });
    atScopeEnd(() => front.drain());
    const port = Number(new URL(url).port);
    expect(await isListening(port, '127.0.0.1')).toBe(true);
    const reached = await Promise.all(
      others.map(async (address) => ((await isListening(port, address)) ? address : '')),
    );
    expect(reached.filter((address) => address !== '')).toEqual([]);
  });
});
