import { hashToken, newToken, tokenPrefix } from './token-secret.js';

describe('newToken', () => {
  it('is recognisable and safe in a header', () => {
    expect(newToken().token).toMatch(/^wha_[0-9A-Za-z]{40}$/);
  });

  it('comes with the hash and the prefix it is known by', () => {
    const { token, prefix, hash } = newToken();
    expect(hash.toString('base64')).toBe(hashToken(token));
    expect(prefix).toBe(tokenPrefix(token));
  });

  it('is another one each time, from the whole alphabet', () => {
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

describe('tokenPrefix', () => {
  it('shows 8 of the 40 random characters', () => {
    expect(tokenPrefix('wha_abcdefghijklmnopqrstuvwxyz')).toBe('wha_abcdefgh');
  });
});
