import { changeOwnDelivery } from './change-delivery.js';
import { expire } from './expire.js';
import type { OrderChange, OrderFacts } from './order-action.js';
import {
  cancel,
  changeDelivery,
  correctShipment,
  deliver,
  invoiceFirst,
  pay,
  refund,
  ship,
  takeBack,
  undeliver,
  unpay,
  withdraw,
} from './order-actions.js';
import { factsFor } from './order-facts.js';
import { payFromWallet } from './pay.js';

const line = { line: 1, quantity: 3, shipped: 0, cancelled: 0, refunded: 0, returned: 0, unitPrice: 1_000 };

const UNPAID: OrderFacts = {
  orderNumber: 'WO-1',
  placedAt: new Date('2026-11-01T10:00:00Z'),
  status: 'awaiting_payment',
  paymentStatus: 'unpaid',
  total: 3_500,
  delivery: 500,
  refunded: 0,
  paymentsUndone: 0,
  lines: [line],
  parcels: [],
  refunds: [],
  prepared: null,
  isSlipOld: false,
  recordedPayment: null,
  deliverTo: null,
  hasInvoices: true,
};
const PAID: OrderFacts = { ...UNPAID, status: 'pending', paymentStatus: 'paid' };
const parcel = (number: number, quantity: number, deliveredAt: Date | null = null) => ({
  parcel: number,
  courier: 'DTDC',
  trackingNumber: `D${number}`,
  trackingUrl: null,
  shippedAt: new Date('2026-11-02T10:00:00Z'),
  deliveredAt,
  exception: null,
  lines: [{ line: 1, quantity }],
});
const SHIPPED: OrderFacts = {
  ...PAID,
  status: 'shipped',
  lines: [{ ...line, shipped: 3 }],
  parcels: [parcel(1, 3)],
};
const DELIVER_TO = {
  customerName: 'Asha',
  customerPhone: '9876543210',
  shippingAddress: '1 MG Road',
  shippingCity: 'Bengaluru',
  shippingState: 'Karnataka',
  shippingPincode: '560001',
  shippingCountry: 'India',
  packingList: null,
  shippedAt: null,
};
const ARRIVED = new Date('2026-11-20T10:00:00Z');
const SHIPMENT = { courier: 'DTDC', trackingNumber: 'D1', trackingUrl: null, shippedAt: null };
const NUMBERS = { parcel: 7, refund: 8 };

/** What an action does, with its functions called. */
function decide(change: OrderChange, order: OrderFacts) {
  const effects = change.decide(factsFor(change, order), {
    timeZone: 'Asia/Kolkata',
    servedCountries: ['India'],
  });
  if ('refused' in effects) return effects.refused;
  const { postings, documents, audit, ...others } = effects;
  return {
    ...others,
    keys: postings?.(NUMBERS).map(({ key, amount }) => `${key} ${amount}`) ?? [],
    documents: documents && documents(NUMBERS),
    audit: audit && audit.action,
  };
}

describe('An action on an order', () => {
  it.each<[string, OrderChange, OrderFacts, object]>([
    [
      'records a payment: the money comes in and is spent',
      pay.change({ method: 'Cheque', reference: '12' }),
      UNPAID,
      {
        status: 'pending',
        columns: { paymentMethod: 'Cheque', paymentReference: '12' },
        keys: ['for:WO-1 3500', 'order:WO-1 -3500'],
        audit: 'order.paid',
      },
    ],
    [
      'pays from the wallet, without an entry of a person',
      payFromWallet(),
      UNPAID,
      { status: 'pending', keys: ['order:WO-1 -3500'], audit: false },
    ],
    [
      'undoes a recorded payment',
      unpay.change({ reason: 'a mistake' }),
      { ...PAID, recordedPayment: { paymentMethod: 'Cash', paymentReference: null, paidAt: ARRIVED } },
      {
        status: 'awaiting_payment',
        keys: ['undone:order:WO-1 3500', 'undone:for:WO-1 -3500'],
        correction: {
          before: { payment: 'Cash', paid_at: ARRIVED.toISOString() },
          after: { payment: null, paid_at: null },
          reason: 'a mistake',
        },
      },
    ],
    [
      'ships some units with their invoice',
      ship.change({ ...SHIPMENT, lines: [{ line: 1, quantity: 1 }] }),
      PAID,
      {
        status: 'pending',
        stock: 'take',
        sends: { units: [{ line: 1, quantity: 1 }], isPrepared: false },
        documents: { parcel: { parcel: 7, units: [{ line: 1, quantity: 1 }] }, isLeaving: true },
      },
    ],
    [
      'ships the rest without an invoice, and bills what is left of the delivery',
      ship.change({ ...SHIPMENT, noInvoice: 'sample' }),
      PAID,
      { status: 'shipped', sends: { noInvoice: 'sample' }, documents: {} },
    ],
    [
      'adds a box, which has no document',
      ship.change({ ...SHIPMENT, lines: [] }),
      SHIPPED,
      { status: 'shipped', stock: 'none', documents: false },
    ],
    [
      'invoices a parcel that stays: the order is as it was',
      invoiceFirst.change({}),
      PAID,
      {
        keepsOrder: true,
        stock: 'none',
        prepares: [{ line: 1, quantity: 3 }],
        audit: 'order.invoiced_first',
      },
    ],
    [
      'delivers one of two parcels, so the order stays on its way',
      deliver.change({ parcel: 2, deliveredAt: ARRIVED }),
      { ...SHIPPED, parcels: [parcel(1, 2), parcel(2, 1)] },
      { status: 'shipped', keepsOrder: true, delivers: { parcels: [2], at: ARRIVED } },
    ],
    [
      'delivers the last parcel and its order',
      deliver.change({}),
      { ...SHIPPED, parcels: [parcel(1, 2, ARRIVED), parcel(2, 1)] },
      { status: 'delivered', keepsOrder: false, delivers: { parcels: [2], at: null } },
    ],
    [
      'takes a delivery back',
      undeliver.change({ reason: 'x' }),
      { ...SHIPPED, status: 'delivered', parcels: [parcel(1, 3, ARRIVED)] },
      { status: 'shipped', undelivers: 1, documents: undefined },
    ],
    [
      'undoes the newest shipment',
      withdraw.change({ reason: 'x' }),
      SHIPPED,
      {
        status: 'pending',
        stock: 'putBack',
        removes: 'newest parcel',
        documents: { takenBack: { parcel: 1, reason: 'x' } },
      },
    ],
    [
      'cancels an unpaid order: nothing goes back',
      cancel.change({}),
      UNPAID,
      {
        status: 'cancelled',
        stock: 'release',
        keys: [],
        audit: false,
        columns: { cancelReason: 'cancelled by the wholesaler' },
      },
    ],
    [
      'cancels the rest after all parcels arrived: the order is shipped, then delivered',
      cancel.change({ reason: 'sold out', lines: [{ line: 1, quantity: 1 }] }),
      { ...PAID, lines: [{ ...line, shipped: 2 }], parcels: [parcel(1, 2, ARRIVED)] },
      { status: 'delivered', through: 'shipped', columns: {}, keys: ['refund:WO-1:8 1000'], documents: {} },
    ],
    [
      'lets an unpaid order expire',
      expire,
      UNPAID,
      { status: 'cancelled', stock: 'release', columns: { cancelReason: 'expired' }, audit: undefined },
    ],
    [
      'refunds an amount',
      refund.change({ amount: '5.00', reason: 'late' })[0]!,
      SHIPPED,
      { keys: ['refund:WO-1:8 500'], documents: { refund: { refund: 8 } }, audit: 'order.refunded' },
    ],
    [
      'refunds goods of a lost parcel by their own code',
      refund.change({ lines: [{ line: 1, quantity: 1 }], reason: 'lost' })[0]!,
      { ...SHIPPED, parcels: [{ ...parcel(1, 3), exception: 'lost' }] },
      { refund: { kind: 'lines', reasonCode: '07' }, keys: ['refund:WO-1:8 1000'] },
    ],
    [
      'takes a refund back',
      takeBack.change({ refund: 1, reason: 'a mistake' }),
      {
        ...SHIPPED,
        refunded: 500,
        refunds: [{ refund: 1, kind: 'amount', amount: 500, takesBack: null, returnNumber: null, lines: [] }],
      },
      { paymentStatus: 'paid', keys: ['refund:WO-1:8 -500'], audit: 'order.refund_taken_back' },
    ],
    [
      'corrects the newest of several parcels, and names it in the history',
      correctShipment.change({ trackingNumber: 'D9', courier: 'DTDC' }),
      { ...SHIPPED, parcels: [parcel(1, 1), parcel(2, 2)] },
      {
        status: 'shipped',
        keepsOrder: true,
        corrects: { parcel: 2, values: { trackingNumber: 'D9' } },
        correction: { before: { parcel_2_tracking_number: 'D2' }, after: { parcel_2_tracking_number: 'D9' } },
        audit: 'order.corrected',
      },
    ],
    [
      'does nothing for a correction that changes nothing',
      correctShipment.change({ trackingNumber: 'D1' }),
      SHIPPED,
      { keepsOrder: true, keys: [], audit: undefined, documents: undefined },
    ],
    [
      'changes the delivery, with the state as it is kept',
      changeDelivery.change({ city: 'Mysuru', state: 'ka', reason: 'moved' }),
      { ...UNPAID, deliverTo: DELIVER_TO },
      {
        deliversTo: { shippingCity: 'Mysuru' },
        correction: { before: { city: 'Bengaluru' }, after: { city: 'Mysuru' }, reason: 'moved' },
        audit: 'order.redirected',
      },
    ],
    [
      'changes the delivery for the client, whose corrections have half of the room',
      changeOwnDelivery({ customerName: 'Ravi' }),
      { ...PAID, deliverTo: DELIVER_TO },
      { deliversTo: { customerName: 'Ravi' }, correction: { by: 'client', reason: null } },
    ],
  ])('%s', (_, change, order, effects) => {
    expect(decide(change, order)).toMatchObject(effects);
  });

  it.each<[string, OrderChange, OrderFacts]>([
    ['is delivered cannot be shipped', ship.change(SHIPMENT), { ...SHIPPED, status: 'delivered' }],
    ['was not recorded by a person', unpay.change({ reason: 'x' }), PAID],
    ['is pending cannot be paid', payFromWallet(), PAID],
    ['is pending cannot be expired', expire, PAID],
    ['is pending has no shipment', correctShipment.change({ courier: 'DTDC' }), PAID],
    ['has no parcel 2', correctShipment.change({ courier: 'DTDC', parcel: 2 }), SHIPPED],
    ['is shipped cannot be changed', changeDelivery.change({ city: 'Pune' }), SHIPPED],
  ])('is refused: %s', (refusal, change, order) => {
    expect(decide(change, order)).toContain(refusal);
  });

  it.each<[string, OrderChange, Partial<OrderFacts['deliverTo']>]>([
    ['is being packed', changeOwnDelivery({ shippingCity: 'Pune' }), { packingList: 3 }],
    ['has left', changeOwnDelivery({ shippingCity: 'Pune' }), { shippedAt: ARRIVED }],
    ['Another recipient needs a reason', changeDelivery.change({ name: 'Ravi', reason: ' ' }), {}],
    ['The PIN code must be', changeDelivery.change({ pincode: '12' }), {}],
    ['must be one of the countries', changeDelivery.change({ country: 'Nepal' }), {}],
  ])('keeps the delivery: %s', (message, change, more) => {
    expect(() => decide(change, { ...PAID, deliverTo: { ...DELIVER_TO, ...more } })).toThrow(message);
  });

  it('does not ship an order whose slip is old, unless a person confirmed it', () => {
    const order = { ...PAID, isSlipOld: true };
    expect(() => decide(ship.change(SHIPMENT), order)).toThrow('changed after its slip was printed');
    expect(ship.change(SHIPMENT).needs).toContain('slip');
    expect(ship.change({ ...SHIPMENT, oldSlip: true }).needs).not.toContain('slip');
  });

  it('cannot read what it does not name in its needs', () => {
    const forgetful = { needs: [], decide: (order: OrderFacts) => ({ refused: `${order.parcels.length}` }) };
    expect(() => decide(forgetful, SHIPPED)).toThrow('reads "parcels", and does not name "parcels"');
  });

  it('has a key for each part of a refund, so that a repetition finds both', () => {
    const parts = { lines: [{ line: 1, quantity: 1 }], delivery: true, reason: 'x' };
    const keys = () => refund.change(parts).map(({ once }) => once!.key);
    expect(new Set(keys()).size).toBe(2);
    expect(keys()).toEqual(keys());
  });
});
