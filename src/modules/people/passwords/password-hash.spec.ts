import { hashPassword, NO_ACCOUNT_HASH, verifyPassword } from './password-hash.js';

const LESS_WORK = { cost: 10, blockSize: 8, parallel: 1 };

describe('a hash of a password', () => {
  it('knows its password, and no other', async () => {
    const stored = await hashPassword('a long way to Mysuru');
    expect(stored).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    expect(await verifyPassword('a long way to Mysuru', stored)).toEqual({ isRight: true, isCurrent: true });
    expect(await verifyPassword('a long way to mysuru', stored)).toMatchObject({ isRight: false });
  });

  it('differs each time', async () => {
    const [one, other] = await Promise.all([
      hashPassword('same', LESS_WORK),
      hashPassword('same', LESS_WORK),
    ]);
    expect(one).not.toBe(other);
  });

  it('shows that it was made with less work than the current cost', async () => {
    const stored = await hashPassword('a long way to Mysuru', LESS_WORK);
    expect(await verifyPassword('a long way to Mysuru', stored)).toEqual({ isRight: true, isCurrent: false });
  });

  it('is the same for passwords that look the same', async () => {
    const stored = await hashPassword('cafe\u0301 au lait 12', LESS_WORK);
    expect(await verifyPassword('caf\u00e9 au lait 12', stored)).toMatchObject({ isRight: true });
  });

  it('of an unknown account is as much work, and matches no password', async () => {
    expect(await verifyPassword('', NO_ACCOUNT_HASH)).toEqual({ isRight: false, isCurrent: true });
  });
});
