import type { Request } from 'express';
import { callerAddress, callerNetwork } from './caller-address.js';

const request = (ip: string | undefined, remoteAddress: string | undefined = '192.0.2.1') =>
  ({ ip, socket: { remoteAddress } }) as unknown as Request;

describe('the address of a caller', () => {
  it.each(['203.0.113.7', '2001:db8::7', 'fe80::1%eth0'])('is %s when a trusted proxy says so', (address) => {
    expect(callerAddress(request(address))).toBe(address);
  });

  it.each(['', 'unknown', '203.0.113.7:4711', '[2001:db8::7]', '<script>', 'a'.repeat(9_000), undefined])(
    'is the address of the socket when the proxy sends the invalid value %j',
    (text) => {
      expect(callerAddress(request(text))).toBe('192.0.2.1');
      expect(callerAddress(request(text, '::ffff:192.0.2.1'))).toBe('192.0.2.1');
    },
  );

  it('is IPv4 when a dual-stack socket shows it as IPv6', () => {
    expect(callerAddress(request('::ffff:203.0.113.7'))).toBe('203.0.113.7');
  });

  it('belongs to a network: itself or a /48', () => {
    expect(callerNetwork(request('203.0.113.7'))).toBe('203.0.113.7');
    expect(callerNetwork(request('2001:db8:1:2::7'))).toBe('2001:db8:1::/48');
  });
});
