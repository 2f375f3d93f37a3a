import type { IncomingMessage } from 'node:http';
import { valuesOf } from '../host-guard.ts';
import { addressGroup } from './address-group.ts';

const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

/**
 * From where a request comes, as far as limits count it: of IPv6 the network. A proxy on this machine says so in the last entry of `X-Forwarded-For`, the one that it has
 * seen itself; from anywhere else the header may say what it wants.
 */
export function clientAddress(
  request: Pick<IncomingMessage, 'rawHeaders'> & { readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'> },
): string {
  const peer = request.socket.remoteAddress ?? '';
  if (!LOOPBACK.test(peer)) return addressGroup(peer);
  const forwarded = valuesOf(request, 'x-forwarded-for').at(-1)?.split(',').at(-1)?.trim();
  return addressGroup(forwarded === undefined || forwarded === '' ? peer : forwarded.slice(0, 64));
}
