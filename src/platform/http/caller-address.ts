import { isIP, isIPv6 } from 'node:net';
import type { Request } from 'express';

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/**
 * The caller's address, as far as proxies are trusted. If the forwarded text is no address, the socket's
 * counts. A dual-stack socket writes IPv4 as IPv6.
 */
export function callerAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  const address = isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
  return address.replace(IPV4_IN_IPV6, '');
}

/**
 * Anonymous callers are counted by network: an IPv4 address or a /48, the largest block of one customer.
 */
export function networkOf(address: string): string {
  return addressBlock(address, 48);
}

export function callerNetwork(request: Pick<Request, 'ip' | 'socket'>): string {
  return networkOf(callerAddress(request));
}

/**
 * A customer of IPv6 has at least 2^64 addresses, so a block counts as one. An IPv4 address is its own block.
 */
export function addressBlock(address: string, bits: 48 | 64 = 64): string {
  if (!isIPv6(address)) return address;
  const [front = '', back] = address.split('%', 1)[0]!.split('::');
  const groups = front === '' ? [] : front.split(':');
  const behind = back ? back.split(':').length : 0;
  const zeros = back === undefined ? 0 : 8 - groups.length - behind;
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...(back ? back.split(':') : [])];
  return `${all
    .slice(0, bits / 16)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/${bits}`;
}
