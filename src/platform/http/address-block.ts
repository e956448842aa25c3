import { isIPv6 } from 'node:net';

/** A customer of IPv6 has at least 2^64 addresses: all of a block count as one. An address of IPv4 is its own block. */
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
