import { orderLine, units } from '../../../../test/support/line-units.js';
import type { OrderState } from './order-transitions.js';
import { cancelRefusal, prepareStep, shipPreparedStep, withPrepared } from './prepared-parcel.js';
import type { PreparedUnits } from './prepared-parcel.js';

const ORDER: OrderState = { status: 'pending', paymentStatus: 'paid' };
const LINES = [orderLine(1, 3, { shipped: 1 }), orderLine(2, 3)];
const PREPARED: PreparedUnits = { parcel: 2, lines: units('1=2 2=1'), preparedAt: new Date(0) };
const ALL = units('1=2 2=3');
const HAS_INVOICE = { refused: 'Parcel 2 has its invoice already.' };

describe('Preparing a parcel', () => {
  it('chooses all units that are left, or some, and moves nothing', () => {
    const unmoved = { ...ORDER, stock: 'none' };
    expect(prepareStep(ORDER, LINES, undefined, null)).toEqual({ ...unmoved, units: ALL });
    expect(prepareStep(ORDER, LINES, units('2=1'), null)).toEqual({ ...unmoved, units: units('2=1') });
  });

  it('refuses a second one, a further box, an order that cannot ship, and units that left', () => {
    const shipped = { ...ORDER, status: 'shipped' } as const;
    const notShippable = { refused: 'An order that is shipped cannot be shipped.' };
    expect(prepareStep(ORDER, LINES, undefined, PREPARED)).toEqual(HAS_INVOICE);
    expect(prepareStep(ORDER, LINES, [], null)).toEqual({ refused: 'A further box has no invoice.' });
    expect(prepareStep(shipped, LINES, undefined, null)).toEqual(notShippable);
    expect(() => prepareStep(ORDER, LINES, units('1=3'), null)).toThrow('Only 2 units of line 1');
  });
});

describe('Shipping a prepared parcel', () => {
  const OTHERS = 'The invoice of parcel 2 has these units: 1=2 2=1. Ship them, or take back the invoice.';

  const SHIPPED = { ...ORDER, stock: 'take', units: PREPARED.lines };

  it.each<[string, Parameters<typeof shipPreparedStep>[2], object]>([
    ['ships the invoiced units', {}, SHIPPED],
    ['ships them if they are named', { lines: units('1=2 2=1') }, SHIPPED],
    ['refuses other units', { lines: ALL }, { refused: OTHERS }],
    ['refuses a further box', { lines: [] }, { refused: OTHERS }],
    ['refuses a parcel without an invoice', { noInvoice: 'sample' }, HAS_INVOICE],
  ])('%s', (_, request, step) => {
    expect(shipPreparedStep(ORDER, LINES, request, PREPARED)).toEqual(step);
  });

  it('ships the given units, or all, if none is prepared', () => {
    const all = { status: 'shipped', units: ALL };
    expect(shipPreparedStep(ORDER, LINES, { noInvoice: 'sample' }, null)).toMatchObject(all);
    const some = { status: 'pending', units: units('2=1') };
    expect(shipPreparedStep(ORDER, LINES, { lines: units('2=1') }, null)).toMatchObject(some);
  });
});

describe('Cancelling beside a prepared parcel', () => {
  it('is refused for invoiced lines and the whole order', () => {
    const refused = { refused: 'Parcel 2 has its invoice already. Take back the invoice first.' };
    expect(cancelRefusal(undefined, PREPARED)).toEqual(refused);
    expect(cancelRefusal(units('2=1 3=1'), PREPARED)).toEqual(refused);
  });

  it('is allowed for other lines, and for all if none is prepared', () => {
    expect(cancelRefusal(units('3=1'), PREPARED)).toBeUndefined();
    expect(cancelRefusal(undefined, null)).toBeUndefined();
    expect(cancelRefusal(ALL, null)).toBeUndefined();
  });
});

it('A prepared parcel is the newest one', () => {
  const facts = { deliveredAt: null, exception: null };
  const first = { ...facts, parcel: 1, courier: 'DTDC', trackingNumber: 'D1', lines: units('1=1') };
  const prepared = { parcel: 2, courier: 'invoiced', trackingNumber: null, lines: PREPARED.lines };
  expect(withPrepared([first], PREPARED)).toEqual([first, { ...facts, ...prepared, isPrepared: true }]);
  expect(withPrepared([first], null)).toEqual([first]);
});
