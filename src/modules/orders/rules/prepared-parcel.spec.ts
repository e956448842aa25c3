import type { OrderState } from './order-transitions.js';
import type { PricedLine } from './order-units.js';
import {
  cancelRefusal,
  type PreparedUnits,
  prepareStep,
  shipPreparedStep,
  withPrepared,
} from './prepared-parcel.js';

const ORDER: OrderState = { status: 'pending', paymentStatus: 'paid' };
const line = (number: number, more: Partial<PricedLine> = {}): PricedLine => ({
  line: number,
  quantity: 3,
  shipped: 0,
  cancelled: 0,
  refunded: 0,
  returned: 0,
  unitPrice: 100,
  ...more,
});
const LINES = [line(1, { shipped: 1 }), line(2)];
const PREPARED: PreparedUnits = {
  parcel: 2,
  lines: [
    { line: 1, quantity: 2 },
    { line: 2, quantity: 1 },
  ],
  preparedAt: new Date(0),
};
const ALL = [
  { line: 1, quantity: 2 },
  { line: 2, quantity: 3 },
];

describe('prepareStep', () => {
  const unmoved = { ...ORDER, stock: 'none', money: 'none' };

  it('chooses all units that are left, or some, and moves nothing', () => {
    expect(prepareStep(ORDER, LINES, undefined, null)).toEqual({ ...unmoved, units: ALL });
    const some = [{ line: 2, quantity: 1 }];
    expect(prepareStep(ORDER, LINES, some, null)).toEqual({ ...unmoved, units: some });
  });

  it('refuses a second one, a further box, an order that cannot ship, and units that left', () => {
    expect(prepareStep(ORDER, LINES, undefined, PREPARED)).toEqual({
      refused: 'Parcel 2 has its invoice already.',
    });
    expect(prepareStep(ORDER, LINES, [], null)).toEqual({ refused: 'A further box has no invoice.' });
    expect(prepareStep({ ...ORDER, status: 'shipped' }, LINES, undefined, null)).toEqual({
      refused: 'An order that is shipped cannot be shipped.',
    });
    expect(() => prepareStep(ORDER, LINES, [{ line: 1, quantity: 3 }], null)).toThrow(
      'Only 2 units of line 1',
    );
  });
});

describe('shipPreparedStep', () => {
  it('ships the invoiced units, also if they are named', () => {
    const shipped = {
      status: 'pending',
      paymentStatus: 'paid',
      stock: 'take',
      money: 'none',
      units: PREPARED.lines,
    };
    expect(shipPreparedStep(ORDER, LINES, {}, PREPARED)).toEqual(shipped);
    expect(shipPreparedStep(ORDER, LINES, { lines: [...PREPARED.lines] }, PREPARED)).toEqual(shipped);
  });

  it('refuses other units, a further box, and a parcel without an invoice', () => {
    const refused = 'The invoice of parcel 2 has these units: 1=2 2=1. Ship them, or take back the invoice.';
    expect(shipPreparedStep(ORDER, LINES, { lines: ALL }, PREPARED)).toEqual({ refused });
    expect(shipPreparedStep(ORDER, LINES, { lines: [] }, PREPARED)).toEqual({ refused });
    expect(shipPreparedStep(ORDER, LINES, { noInvoice: 'sample' }, PREPARED)).toEqual({
      refused: 'Parcel 2 has its invoice already.',
    });
  });

  it('ships the given units, or all, if none is prepared', () => {
    expect(shipPreparedStep(ORDER, LINES, { noInvoice: 'sample' }, null)).toMatchObject({
      status: 'shipped',
      units: ALL,
    });
    expect(shipPreparedStep(ORDER, LINES, { lines: [{ line: 2, quantity: 1 }] }, null)).toMatchObject({
      status: 'pending',
      units: [{ line: 2, quantity: 1 }],
    });
  });
});

describe('cancelRefusal', () => {
  const refused = { refused: 'Parcel 2 has its invoice already. Take back the invoice first.' };

  it('refuses invoiced lines and the whole order', () => {
    expect(cancelRefusal(undefined, PREPARED)).toEqual(refused);
    expect(cancelRefusal([{ line: 3, quantity: 1 }, ...ALL], PREPARED)).toEqual(refused);
  });

  it('allows other lines, and all if none is prepared', () => {
    expect(cancelRefusal([{ line: 3, quantity: 1 }], PREPARED)).toBeUndefined();
    expect(cancelRefusal(undefined, null)).toBeUndefined();
    expect(cancelRefusal(ALL, null)).toBeUndefined();
  });
});

describe('withPrepared', () => {
  const first = {
    parcel: 1,
    courier: 'Delhivery',
    trackingNumber: 'D1',
    deliveredAt: null,
    exception: null,
    lines: [{ line: 1, quantity: 1 }],
  };

  it('adds the prepared parcel as the newest', () => {
    expect(withPrepared([first], PREPARED)).toEqual([
      first,
      {
        parcel: 2,
        courier: 'invoiced',
        trackingNumber: null,
        deliveredAt: null,
        exception: null,
        lines: PREPARED.lines,
        isPrepared: true,
      },
    ]);
    expect(withPrepared([first], null)).toEqual([first]);
  });
});
