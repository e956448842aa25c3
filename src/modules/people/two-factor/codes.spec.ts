import { hashRecoveryCode, newRecoveryCode, newTotpSecret, totpStepOf, totpUri } from './codes.js';

describe('a recovery code', () => {
  it('can be read from paper, and is new each time', () => {
    const code = newRecoveryCode();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    expect(newRecoveryCode()).not.toBe(code);
  });

  it('is the same however it was typed', () => {
    const hash = hashRecoveryCode('10AB-CDEF-GHJK-MNPQ');
    expect(hash).toHaveLength(32);
    for (const typed of ['10abcdefghjkmnpq', ' lOAB CDEF GHJK MNPQ ', 'IOab-cdef-ghjk-mnpq'])
      expect(hashRecoveryCode(typed)).toEqual(hash);
    expect(hashRecoveryCode('10AB-CDEF-GHJK-MNPR')).not.toEqual(hash);
  });

  it.each(['', '123456', '10AB-CDEF-GHJK', '10AB-CDEF-GHJK-MNPU'])('is not "%s"', (typed) => {
    expect(hashRecoveryCode(typed)).toBeUndefined();
  });
});

/** RFC 6238, appendix B: the secret "12345678901234567890", of which apps show the last six digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a code of an app', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [2_000_000_000, '279037'],
  ])('is the one of the standard at second %s', (second, code) => {
    expect(totpStepOf(SECRET, code, new Date(second * 1_000))).toBe(Math.floor(second / 30));
  });

  it('is valid for thirty seconds more on either side, and names its period', () => {
    expect(totpStepOf(SECRET, '287082', new Date(30_000))).toBe(1);
    expect(totpStepOf(SECRET, '287082', new Date(29_000))).toBe(1);
    expect(totpStepOf(SECRET, '287082', new Date(89_999))).toBe(1);
    expect(totpStepOf(SECRET, '287082', new Date(90_000))).toBeUndefined();
  });

  it('is no other', () => {
    expect(totpStepOf(SECRET, '287083', new Date(59_000))).toBeUndefined();
    expect(totpStepOf(SECRET, '', new Date(59_000))).toBeUndefined();
  });
});

describe('a secret', () => {
  it('is new each time, and stands in the URI for the app', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(secret);
    const uri = totpUri(secret, 'anaya@example.com');
    expect(uri).toMatch(/^otpauth:\/\/totp\/Wholesale:anaya%40example\.com\?/);
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
  });
});
