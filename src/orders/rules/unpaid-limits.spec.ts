import { isBeyond, isNear } from './unpaid-limits.js';

const LIMITS = { orders: 10_000, value: 1_000_000_000 };

describe('the limits of what is unpaid', () => {
  it('are kept to the last paisa and the last order', () => {
    expect(isBeyond(LIMITS, LIMITS)).toBe(false);
    expect(isBeyond({ ...LIMITS, value: LIMITS.value + 1 }, LIMITS)).toBe(true);
    expect(isBeyond({ ...LIMITS, orders: LIMITS.orders + 1 }, LIMITS)).toBe(true);
  });

  it('are none where they are 0', () => {
    const much = { orders: 1_000_000, value: 1e15 };
    expect(isBeyond(much, { orders: 0, value: 0 })).toBe(false);
    expect(isBeyond(much, { orders: 0, value: 1 })).toBe(true);
    expect(isBeyond(much, { orders: 1, value: 0 })).toBe(true);
  });

  it('are near from four fifths on', () => {
    expect(isNear({ orders: 7_999, value: 799_999_999 }, LIMITS)).toBe(false);
    expect(isNear({ orders: 8_000, value: 0 }, LIMITS)).toBe(true);
    expect(isNear({ orders: 0, value: 800_000_000 }, LIMITS)).toBe(true);
  });
});
