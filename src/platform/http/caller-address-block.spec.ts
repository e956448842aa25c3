import { addressBlock } from './caller-address.js';

describe('addressBlock', () => {
  it('keeps an IPv4 address', () => {
    expect(addressBlock('203.0.113.7')).toBe('203.0.113.7');
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
  ])('returns for %s the block %s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });

  it('returns a /48 on request', () => {
    expect(addressBlock('2001:db8:1:2::1', 48)).toBe('2001:db8:1::/48');
    expect(addressBlock('2001:db8:1:ffff::9', 48)).toBe('2001:db8:1::/48');
  });
});
