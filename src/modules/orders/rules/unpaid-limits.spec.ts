import { checkUnpaidLimit, isBeyond, isNear, unpaidLimitMessage } from './unpaid-limits.js';

const LIMITS = { orders: 10_000, value: 1_000_000_000 };

describe('The limits of unpaid orders', () => {
  it('allow exactly their value and number', () => {
    expect(isBeyond(LIMITS, LIMITS)).toBe(false);
    expect(isBeyond({ ...LIMITS, value: LIMITS.value + 1 }, LIMITS)).toBe(true);
    expect(isBeyond({ ...LIMITS, orders: LIMITS.orders + 1 }, LIMITS)).toBe(true);
  });

  it('are off at 0', () => {
    const much = { orders: 1_000_000, value: 1e15 };
    expect(isBeyond(much, { orders: 0, value: 0 })).toBe(false);
    expect(isBeyond(much, { orders: 0, value: 1 })).toBe(true);
    expect(isBeyond(much, { orders: 1, value: 0 })).toBe(true);
  });

  it('are near from 80 % on', () => {
    expect(isNear({ orders: 7_999, value: 799_999_999 }, LIMITS)).toBe(false);
    expect(isNear({ orders: 8_000, value: 0 }, LIMITS)).toBe(true);
    expect(isNear({ orders: 0, value: 800_000_000 }, LIMITS)).toBe(true);
  });

  it.each([
    [{ orders: 3, value: 0 }, '3 orders'],
    [{ orders: 0, value: 100_050 }, 'a value of 1000.50'],
    [{ orders: 3, value: 100_050 }, '3 orders and a value of 1000.50'],
  ])('are named in the message when they are on: %j', (limits, most) => {
    expect(unpaidLimitMessage({ orders: 2, value: 13_460 }, limits)).toBe(
      `You have 2 unpaid orders worth 134.60, and may have ${most}. ` +
        'Pay for orders or cancel some, then order again.',
    );
  });

  it('refuse the order that would exceed them, and show the unpaid total without it', () => {
    const unpaid = { orders: 2, value: 13_460 };
    const check = (limits: typeof unpaid) => () => checkUnpaidLimit({ unpaid, limits }, 1);
    const refusal = (facts: object) =>
      expect.objectContaining({
        code: 'unpaid_limit_reached',
        message: expect.stringContaining('You have 2 unpaid orders worth 134.60') as string,
        facts: { unpaid_orders: 2, unpaid_value: 134.6, ...facts },
      }) as Error;
    expect(check({ orders: 3, value: 13_461 })).not.toThrow();
    expect(check({ orders: 2, value: 0 })).toThrow(
      refusal({ unpaid_orders_limit: 2, unpaid_value_limit: null }),
    );
    expect(check({ orders: 0, value: 13_460 })).toThrow(
      refusal({ unpaid_orders_limit: null, unpaid_value_limit: 134.6 }),
    );
  });
});
