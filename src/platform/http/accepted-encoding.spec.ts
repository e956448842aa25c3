import { acceptedEncoding } from './accepted-encoding.js';

describe('acceptedEncoding', () => {
  it.each([
    'gzip',
    'GZIP',
    'deflate, gzip;q=0.5, br',
    'gzip;q=1.0, identity;q=1.0',
    'x-gzip',
    '*',
    'br;q=1, *;q=0.1',
    'gzip ; q=0.001',
  ])('chooses gzip for %j', (header) => {
    expect(acceptedEncoding(header)).toBe('gzip');
  });

  it.each([
    undefined,
    '',
    'identity',
    'br, deflate',
    'gzip;q=0',
    'gzip;q=0.000, *',
    '*;q=0',
    'gzip;q=0.5, identity',
    'gzip;q=nonsense',
  ])('chooses no compression for %j', (header) => {
    expect(acceptedEncoding(header)).toBe('identity');
  });
});
