import {
  adjustment,
  bankPayout,
  bankTopUp,
  gatewayKey,
  gatewayTopUp,
  orderPayment,
  orderRefund,
  orderTopUp,
  payout,
  payoutFailed,
  receiptsOf,
  tdsTopUp,
  testMoneyRemoved,
  type Posting,
} from './posting.js';

const POSTINGS: Posting[] = [
  orderPayment('WO-1', 500),
  orderRefund('WO-1', 2, 500, 'damaged'),
  orderTopUp('WO-1', 500, 'upi 42'),
  gatewayTopUp('P-1', 'pay_1', 500),
  bankTopUp('N1', 500),
  adjustment(-500, 'broken', 'A-1'),
  payout('R-1', 500, 'P-1'),
  payoutFailed('R-1', 500, 'P-1'),
  testMoneyRemoved('P-1', 500, 'going live', 'T-1'),
  tdsTopUp('N1', 5, 'AAPFU0939F'),
  bankPayout('N1', 500, 'N1 of 2026-11-28'),
];

describe('A posting', () => {
  it('has a kind, an account and a key that prevents duplicates', () => {
    const [paid, refunded, forOrder, gateway, bank, adjusted, out, back, removed, tax, paidOut] = POSTINGS;
    const order = { orderNumber: 'WO-1' };
    expect(paid).toEqual({
      kind: 'order_payment',
      against: 'sales',
      amount: -500,
      key: 'order:WO-1',
      ...order,
    });
    expect(refunded).toEqual({
      kind: 'order_refund',
      against: 'sales',
      amount: 500,
      key: 'refund:WO-1:2',
      note: 'damaged',
      ...order,
    });
    expect(forOrder).toEqual({
      kind: 'top_up',
      against: 'bank',
      amount: 500,
      key: 'for:WO-1',
      note: 'upi 42',
      ...order,
    });
    const payment = { paymentId: 'P-1' };
    expect(gateway).toEqual({
      kind: 'top_up',
      against: 'gateway',
      amount: 500,
      key: 'gateway:pay_1',
      ...payment,
    });
    expect(bank).toEqual({ kind: 'top_up', against: 'bank', amount: 500, key: 'bank:N1', note: 'N1' });
    expect(adjusted).toEqual({
      kind: 'adjustment',
      against: 'adjustments',
      amount: -500,
      key: 'adjustment:A-1',
      note: 'broken',
    });
    expect(out).toEqual({
      kind: 'payout',
      against: 'in_transit',
      amount: -500,
      key: 'payout:R-1',
      ...payment,
    });
    expect(back).toEqual({
      kind: 'payout_failed',
      against: 'in_transit',
      amount: 500,
      key: 'payout-failed:R-1',
      ...payment,
    });
    expect(removed).toEqual({
      kind: 'adjustment',
      against: 'gateway',
      amount: -500,
      key: 'test-money:T-1',
      note: 'going live',
      ...payment,
    });
    expect(tax).toEqual({
      kind: 'top_up',
      against: 'tds',
      amount: 5,
      key: 'tds:N1',
      note: 'N1, TDS under section 194Q, PAN AAPFU0939F',
    });
    expect(paidOut).toEqual({
      kind: 'payout',
      against: 'bank',
      amount: -500,
      key: 'bank-payout:N1',
      note: 'N1 of 2026-11-28',
    });
  });

  it('of a transfer has its number, and why another amount came than was reported', () => {
    expect(bankTopUp('N1', 500).note).toBe('N1');
    expect(bankTopUp('N1', 500, 'bank charges').note).toBe('N1, bank charges');
  });

  it('of deducted tax has its section and PAN, and joins the receipt of its transfer', () => {
    const tax = tdsTopUp('N1', 5);
    expect(tax.note).toBe('N1, TDS under section 194Q, PAN unknown');
    const [bank, forOrder, gateway] = [
      bankTopUp('N1', 500),
      orderTopUp('WO-1', 7, ''),
      gatewayTopUp('P', 'g', 9),
    ];
    expect(receiptsOf([bank, tax])).toEqual([{ ...bank, amount: 505 }]);
    expect(receiptsOf([bank])).toEqual([bank]);
    expect(receiptsOf([gateway, orderPayment('WO-1', 7)])).toEqual([gateway]);
    expect(receiptsOf([gateway, forOrder])).toEqual([gateway, forOrder]);
    expect(receiptsOf([orderPayment('WO-1', 7)])).toEqual([]);
  });

  it('has a unique key', () => {
    expect(new Set(POSTINGS.map(({ key }) => key)).size).toBe(POSTINGS.length);
    expect(gatewayKey('pay_1')).toBe(gatewayTopUp('P-2', 'pay_1', 1).key);
  });
});
