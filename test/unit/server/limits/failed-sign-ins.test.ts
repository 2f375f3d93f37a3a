import { describe, expect, it } from '@jest/globals';
import { clientAddress } from '../../../../server/limits/client-address.ts';
import { createFailedSignIns } from '../../../../server/limits/failed-sign-ins.ts';

describe('failed sign-ins', () => {
  it('block their address for the rest of a minute once there are too many, and no other', async () => {
    const failed = createFailedSignIns(3, undefined);
    const blocked: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      blocked.push(await failed.blockedForMs('10.0.0.1'));
      await failed.count('10.0.0.1');
    }
    expect(blocked).toEqual([0, 0, 0]);
    const waitMs = await failed.blockedForMs('10.0.0.1');
    expect(waitMs).toBeGreaterThan(50_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(await failed.blockedForMs('10.0.0.2')).toBe(0);
  });

  it('count an IPv6 network as one, whichever of its addresses is used', async () => {
    const failed = createFailedSignIns(2, undefined);
    for (const address of ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9']) await failed.count(addressOf(address));
    expect(await failed.blockedForMs(addressOf('2001:db8:1:2:3:4:5:6'))).toBeGreaterThan(50_000);
    expect(await failed.blockedForMs(addressOf('2001:db8:1:3::1'))).toBe(0);
  });

  it('may be limited to one', async () => {
    const failed = createFailedSignIns(1, undefined);
    await failed.count('10.0.0.1');
    expect(await failed.blockedForMs('10.0.0.1')).toBeGreaterThan(50_000);
  });
});

function addressOf(remoteAddress: string, ...forwarded: readonly string[]): string {
  const rawHeaders = forwarded.flatMap((value) => ['X-Forwarded-For', value]);
  return clientAddress({ rawHeaders, socket: { remoteAddress } });
}

describe('clientAddress', () => {
  it('is that of the connection', () => {
    expect(addressOf('192.0.2.7')).toBe('192.0.2.7');
    expect(addressOf('127.0.0.1')).toBe('127.0.0.1');
  });

  it('is what a proxy on this machine has seen itself, not what its client claims', () => {
    expect(addressOf('127.0.0.1', '203.0.113.9, 192.0.2.7')).toBe('192.0.2.7');
    expect(addressOf('::ffff:127.0.0.1', '203.0.113.9', '192.0.2.7')).toBe('192.0.2.7');
    expect(addressOf('::1', '192.0.2.7')).toBe('192.0.2.7');
  });

  it('is nothing that somebody else claims', () => {
    expect(addressOf('198.51.100.1', '192.0.2.7')).toBe('198.51.100.1');
  });

  it('is the network of an IPv6 address, also of one that a proxy has seen', () => {
    expect(addressOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
    expect(addressOf('127.0.0.1', '2001:db8:1:2::7')).toBe('2001:db8:1:2::/64');
    expect(addressOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
  });

  it('stays short', () => {
    expect(addressOf('127.0.0.1', 'x'.repeat(8_000))).toHaveLength(64);
  });
});
