import type { Request } from 'express';

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** Where a request comes from, as far as proxies are believed. A socket for both families writes IPv4 in the words of IPv6. */
export function callerAddress({ ip }: Request): string {
  return (ip ?? '').replace(IPV4_IN_IPV6, '');
}
