import { isIPv6 } from 'node:net';

/** Who has one address of IPv6 has 2^64 of them: all these are one here. */
export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address;
  const [front = '', back] = address.split('%', 1)[0]!.split('::');
  const groups = front === '' ? [] : front.split(':');
  const behind = back ? back.split(':').length : 0;
  const zeros = back === undefined ? 0 : 8 - groups.length - behind;
  const all = [...groups, ...Array<string>(zeros).fill('0'), ...(back ? back.split(':') : [])];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
