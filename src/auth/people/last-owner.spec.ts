import { isLastOwner } from './last-owner.js';

const OWNER = { role: 'owner', disabledAt: null, passwordHash: 'a hash' } as const;
const INVITED = { ...OWNER, passwordHash: null };
const DISABLED = { ...OWNER, disabledAt: new Date() };
const BUYER = { ...OWNER, role: 'buyer' } as const;

describe('isLastOwner', () => {
  it('is true of the only one who can look after the client', () => {
    expect(isLastOwner(OWNER, [])).toBe(true);
    expect(isLastOwner(OWNER, [BUYER, DISABLED])).toBe(true);
    expect(isLastOwner(OWNER, [BUYER, OWNER])).toBe(false);
  });

  it('is true beside an owner who has not come yet', () => {
    expect(isLastOwner(OWNER, [INVITED])).toBe(true);
    expect(isLastOwner(INVITED, [OWNER])).toBe(false);
  });

  it('is true of the first one, who is only invited', () => {
    expect(isLastOwner(INVITED, [BUYER])).toBe(true);
    expect(isLastOwner(INVITED, [INVITED])).toBe(false);
  });

  it('is false for other roles and for disabled owners', () => {
    expect(isLastOwner(BUYER, [])).toBe(false);
    expect(isLastOwner(DISABLED, [])).toBe(false);
  });
});
