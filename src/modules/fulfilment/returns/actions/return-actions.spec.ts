import type { ReturnChange, ReturnToDecide } from './return-action.js';
import { accept, receive, refund, refuse } from './return-actions.js';
import { withdrawRequest } from './refuse.js';
import { WITHDRAWN } from '../../../orders/rules/return-request.js';

const line = { quantity: 3, shipped: 3, cancelled: 0, refunded: 0, returned: 2 };

const REQUESTED: ReturnToDecide = {
  returnNumber: 'RT-1',
  state: 'requested',
  decision: null,
  key: 'a',
  refundOpen: false,
  items: [
    { line: 1, quantity: 2, received: null },
    { line: 2, quantity: 1, received: null },
  ],
  order: {
    paymentStatus: 'paid',
    lines: [
      { line: 1, ...line },
      { line: 2, ...line, returned: 1 },
    ],
  },
};
const RECEIVED: ReturnToDecide = {
  ...REQUESTED,
  state: 'partly_received',
  refundOpen: true,
  items: [
    { line: 1, quantity: 2, received: 1 },
    { line: 2, quantity: 1, received: 0 },
  ],
};
const units = (first: number) => [{ line: 1, quantity: first }];
const decide = (change: ReturnChange, facts: ReturnToDecide) => change.decide(facts, 'Asia/Kolkata');

describe('An action on a return', () => {
  it.each<[string, ReturnChange, ReturnToDecide, object]>([
    [
      'accepts it: the client learns where to send the goods',
      accept.change({ sendTo: ' Acme\nPune ', sendBy: '2999-12-31' }),
      REQUESTED,
      { accepts: { sendTo: 'Acme\nPune', sendBy: '2999-12-31' }, audit: { action: 'return.accepted' } },
    ],
    [
      'receives all units, and staff decide later about the refund',
      receive.change({ restock: units(1) }),
      REQUESTED,
      {
        arrived: [
          { line: 1, received: 2, restocked: 1 },
          { line: 2, received: 1, restocked: 0 },
        ],
        decides: { state: 'received', decision: null },
        refundOpen: true,
        audit: { details: { received: '1=2 2=1', restocked: '1=1', refund: 'later' } },
      },
    ],
    [
      'receives some units and refunds them',
      receive.change({ lines: units(1), restock: [], refund: true, note: 'torn' }),
      REQUESTED,
      { decides: { state: 'partly_received', decision: 'torn' }, refunds: units(1) },
    ],
    [
      'receives units without a refund',
      receive.change({ restock: [], refund: false }),
      REQUESTED,
      { audit: { details: { refund: false } } },
    ],
    [
      'refuses it: nothing comes back',
      refuse.change({ reason: 'used' }),
      REQUESTED,
      {
        arrived: [
          { line: 1, received: 0, restocked: 0 },
          { line: 2, received: 0, restocked: 0 },
        ],
        decides: { state: 'refused', decision: 'used' },
      },
    ],
    ['takes it back', withdrawRequest, REQUESTED, { decides: { state: 'refused', decision: WITHDRAWN } }],
    ['refunds what came', refund.change({}), RECEIVED, { refundOpen: false, refunds: units(1) }],
    [
      'closes it without a refund',
      refund.change({ none: 'worn' }),
      RECEIVED,
      { refundOpen: false, audit: { action: 'return.not_refunded', details: { reason: 'worn' } } },
    ],
  ])('%s', (_, change, facts, effects) => {
    expect(decide(change, facts)).toMatchObject(effects);
  });

  it.each<[string, Partial<ReturnToDecide['order']>]>([
    ['all was refunded before', { lines: [{ line: 1, ...line, refunded: 2 }] }],
    ['the order was not paid, or is refunded', { paymentStatus: 'refunded' }],
  ])('leaves no refund to decide: %s', (_, order) => {
    const facts = { ...REQUESTED, order: { ...REQUESTED.order, ...order } };
    expect(decide(receive.change({ lines: units(2), restock: [] }), facts)).not.toHaveProperty('refundOpen');
  });

  it.each<[string, ReturnChange, ReturnToDecide]>([
    ['was partly received already', receive.change({ restock: [] }), RECEIVED],
    ['was withdrawn', refuse.change({ reason: 'x' }), { ...RECEIVED, state: 'refused', decision: WITHDRAWN }],
    ['was partly received already', accept.change({ sendTo: 'x', sendBy: '2999-12-31' }), RECEIVED],
    ['There is no return RT-1', withdrawRequest, { ...REQUESTED, key: 'rto of parcel 1' }],
    ['waits for no refund', refund.change({}), REQUESTED],
    [
      'Receive the return without a refund',
      receive.change({ restock: [], refund: true }),
      { ...REQUESTED, order: { ...REQUESTED.order, paymentStatus: 'refunded' } },
    ],
  ])('is refused: %s', (message, change, facts) => {
    expect(() => decide(change, facts)).toThrow(message);
  });

  it('keeps the words of a withdrawal for the client', () => {
    expect(() => refuse.change({ reason: WITHDRAWN })).toThrow('Only the client');
  });
});
