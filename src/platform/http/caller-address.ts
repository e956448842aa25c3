import { isIP } from 'node:net';
import type { Request } from 'express';
import { addressBlock } from './address-block.js';

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/**
 * Where a request comes from, as far as proxies are believed. A forwarded text that is no address counts for nothing: then it is
 * the socket's. A socket for both families writes IPv4 in the words of IPv6.
 */
export function callerAddress({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  const address = isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
  return address.replace(IPV4_IN_IPV6, '');
}

/** Strangers have their turns by network: an address of IPv4, or a /48, the most that a provider gives one customer. */
export function networkOf(address: string): string {
  return addressBlock(address, 48);
}

export function callerNetwork(request: Pick<Request, 'ip' | 'socket'>): string {
  return networkOf(callerAddress(request));
}
