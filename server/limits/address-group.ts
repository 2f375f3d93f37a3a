/**
 * Addresses that count as one. Whoever has one address of IPv6 has 2^64 of them: what is counted there is the network of
 * 64 bits that a line is given. RFC 6177.
 */
import { isIPv6 } from 'node:net';

const COUNTED_GROUPS = 4;
const MAPPED = '0:0:0:0:0:ffff:';

/**
 * An IPv4 address as it is, also one that is mapped into IPv6; of IPv6 its /64; what is no address, as it is. Brackets and
 * the port that some proxies add are left out: each connection has another one.
 */
export function addressGroup(address: string): string {
  const bare = address.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  const [unzoned = ''] = bare.split('%');
  if (!isIPv6(unzoned)) return bare;
  const groups = groupsOf(unzoned);
  if (groups.join(':').startsWith(MAPPED)) return ipv4Of(groups.slice(-2));
  return `${groups.slice(0, COUNTED_GROUPS).join(':')}::/64`;
}

/** Eight of them, without leading zeros, however the address is written. */
function groupsOf(address: string): readonly string[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = [], right = []] = written.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const missing = Math.max(8 - left.length - right.length, 0);
  return [...left, ...Array.from({ length: missing }, () => '0'), ...right];
}

function ipv4Of(groups: readonly string[]): string {
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex').join('.');
}
