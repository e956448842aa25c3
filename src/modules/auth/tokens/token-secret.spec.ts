import { hashToken, newToken } from './token-secret.js';

describe('newToken', () => {
  it('is recognisable and safe in a header', () => {
    expect(newToken().token).toMatch(/^wha_[0-9A-Za-z]{40}$/);
    expect(newToken('read_only').token).toMatch(/^wha_read_[0-9A-Za-z]{40}$/);
  });

  it.each([
    ['full', 12],
    ['read_only', 17],
  ] as const)('of kind %s comes with its hash and 8 of its 40 random characters', (kind, prefixLength) => {
    const { token, prefix, hash } = newToken(kind);
    expect(hash.toString('base64')).toBe(hashToken(token));
    expect(prefix).toBe(token.slice(0, prefixLength));
  });

  it('differs each time, and uses the whole alphabet', () => {
    const tokens = Array.from({ length: 500 }, () => newToken().token);
    expect(new Set(tokens).size).toBe(500);
    expect(new Set(tokens.map((token) => token.slice(4)).join('')).size).toBe(62);
  });
});

describe('hashToken', () => {
  it('is SHA-256', () => {
    // The digest of "abc" as published in FIPS 180-2, appendix B.1.
    expect(Buffer.from(hashToken('abc'), 'base64').toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
  });
});
