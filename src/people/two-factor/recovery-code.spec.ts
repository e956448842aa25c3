import { hashRecoveryCode, newRecoveryCode } from './codes.js';

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

  it.each(['', '123456', '10AB-CDEF-GHJK', '10AB-CDEF-GHJK-MNPU'])('is not "%s"', (given) => {
    expect(hashRecoveryCode(given)).toBeUndefined();
  });
});
