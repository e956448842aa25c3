import { isLastManager } from './last-manager.js';

const OWNER = { role: 'owner', disabledAt: null, passwordHash: 'a hash' } as const;
const INVITED = { ...OWNER, passwordHash: null };
const DISABLED = { ...OWNER, disabledAt: new Date() };
const BUYER = { ...OWNER, role: 'buyer' } as const;

describe('isLastManager', () => {
  it('is true for the only manager of the client', () => {
    expect(isLastManager(OWNER, [])).toBe(true);
    expect(isLastManager(OWNER, [BUYER, DISABLED])).toBe(true);
    expect(isLastManager(OWNER, [BUYER, OWNER])).toBe(false);
  });

  it('is true beside an owner who is only invited', () => {
    expect(isLastManager(OWNER, [INVITED])).toBe(true);
    expect(isLastManager(INVITED, [OWNER])).toBe(false);
  });

  it('is true for the first owner, who is only invited', () => {
    expect(isLastManager(INVITED, [BUYER])).toBe(true);
    expect(isLastManager(INVITED, [INVITED])).toBe(false);
  });

  it('is true for the only admin of the wholesaler', () => {
    const admin = { ...OWNER, role: 'admin' } as const;
    expect(isLastManager(admin, [{ ...OWNER, role: 'staff' }])).toBe(true);
    expect(isLastManager(admin, [admin])).toBe(false);
  });

  it('is false for other roles and for disabled owners', () => {
    expect(isLastManager(BUYER, [])).toBe(false);
    expect(isLastManager(DISABLED, [])).toBe(false);
  });
});
