import {
  describeUnpaidLimit,
  exceedsLimits,
  isNearLimits,
  toUnpaidFacts,
  unpaidObstacle,
} from './unpaid-limits.js';

const LIMITS = { orders: 10_000, value: 1_000_000_000 };

describe('The limits of unpaid orders', () => {
  it('allow exactly their value and number', () => {
    expect(exceedsLimits(LIMITS, LIMITS)).toBe(false);
    expect(exceedsLimits({ ...LIMITS, value: LIMITS.value + 1 }, LIMITS)).toBe(true);
    expect(exceedsLimits({ ...LIMITS, orders: LIMITS.orders + 1 }, LIMITS)).toBe(true);
  });

  it('are off at 0', () => {
    const much = { orders: 1_000_000, value: 1e15 };
    expect(exceedsLimits(much, { orders: 0, value: 0 })).toBe(false);
    expect(exceedsLimits(much, { orders: 0, value: 1 })).toBe(true);
    expect(exceedsLimits(much, { orders: 1, value: 0 })).toBe(true);
  });

  it('are near from 80 % on', () => {
    expect(isNearLimits({ orders: 7_999, value: 799_999_999 }, LIMITS)).toBe(false);
    expect(isNearLimits({ orders: 8_000, value: 0 }, LIMITS)).toBe(true);
    expect(isNearLimits({ orders: 0, value: 800_000_000 }, LIMITS)).toBe(true);
  });

  it.each([
    [{ orders: 2, value: 0 }, '2 orders'],
    [{ orders: 0, value: 100_050 }, 'a value of 1000.50'],
    [{ orders: 2, value: 100_050 }, '2 orders and a value of 1000.50'],
  ])('are named in the message when they are on: %j', (limits, limitText) => {
    const unpaid = { orders: 2, value: 13_460 };
    expect(unpaidObstacle({ unpaid, limits }, 100_000)?.error.message).toBe(
      `You have 2 unpaid orders worth 134.60. Your limit is ${limitText}. ` +
        'Pay for orders or cancel some, then order again.',
    );
  });

  it('are named with the client for another person', () => {
    const totals = { unpaid: { orders: 2, value: 13_460 }, limits: { orders: 2, value: 0 } };
    expect(describeUnpaidLimit(toUnpaidFacts(totals), 'Asha Traders')).toBe(
      'Asha Traders has 2 unpaid orders worth 134.60. The limit is 2 orders. ' +
        'Some must be paid or cancelled first.',
    );
  });

  it('refuse the order that would exceed them, and show the unpaid total without it', () => {
    const unpaid = { orders: 2, value: 13_460 };
    const obstacle = (limits: typeof unpaid) => unpaidObstacle({ unpaid, limits }, 1);
    const message = 'You have 2 unpaid orders worth 134.60. Your limit is';
    const refusal = (facts: object) => ({
      error: {
        code: 'unpaid_limit_reached',
        message: expect.stringContaining(message) as string,
        facts: { unpaid_orders: 2, unpaid_value: 134.6, ...facts },
      },
      rows: [
        {
          field: 'items',
          code: 'unpaid_limit_reached',
          message: expect.stringContaining(message) as string,
          unpaid_orders: 2,
          unpaid_value: 134.6,
          ...facts,
        },
      ],
    });
    expect(obstacle({ orders: 3, value: 13_461 })).toBeUndefined();
    expect(obstacle({ orders: 2, value: 0 })).toMatchObject(
      refusal({ unpaid_orders_limit: 2, unpaid_value_limit: null }),
    );
    expect(obstacle({ orders: 0, value: 13_460 })).toMatchObject(
      refusal({ unpaid_orders_limit: null, unpaid_value_limit: 134.6 }),
    );
  });
});
