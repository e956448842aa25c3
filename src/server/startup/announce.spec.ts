import { forgedAddressWarning } from './announce.js';

describe('the start', () => {
  it.each([
    ['0.0.0.0', 1],
    ['::', 2],
    ['10.0.0.5', 1],
  ])('warns of forged addresses where it listens on %s and believes %i hops', (host, trustProxy) => {
    expect(forgedAddressWarning({ host, trustProxy })).toMatch(
      `TRUST_PROXY=${trustProxy} with HOST=${host} `,
    );
  });

  it.each([
    ['127.0.0.1', 1],
    ['::1', 1],
    ['localhost', 1],
    ['0.0.0.0', false],
    ['0.0.0.0', ['10.0.0.0/8']],
  ] as const)('does not warn where it listens on %s and believes %j', (host, believed) => {
    const trustProxy = typeof believed === 'object' ? [...believed] : believed;
    expect(forgedAddressWarning({ host, trustProxy })).toBeUndefined();
  });
});
