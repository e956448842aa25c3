import {
  adjustment,
  bankPayout,
  bankTopUp,
  gatewayKey,
  gatewayTopUp,
  isRecordedByReference,
  orderPayment,
  orderRefund,
  orderTopUp,
  payout,
  payoutFailed,
  receiptsOf,
  tdsTopUp,
  testMoneyRemoved,
  type Posting,
  undoPostings,
} from './posting.js';

const UTR = '432112345678';
const ORDER = { orderNumber: 'WO-1' };
const PAYMENT = { paymentId: 'P-1' };
const DEDUCTED = 'N1, TDS under section 393(1), PAN AAPFU0939F';

/** A posting with its kind, account, amount and key, and the rest of it. */
const POSTINGS: [Posting, Posting['kind'], Posting['against'], number, string, Partial<Posting>][] = [
  [orderPayment('WO-1', 500), 'order_payment', 'sales', -500, 'order:WO-1', ORDER],
  [orderRefund('WO-1', 2, 500, 'x'), 'order_refund', 'sales', 500, 'refund:WO-1:2', { ...ORDER, note: 'x' }],
  [orderTopUp('WO-1', 500, 'upi 42'), 'top_up', 'bank', 500, 'for:WO-1', { ...ORDER, note: 'upi 42' }],
  [gatewayTopUp('P-1', 'pay_1', 500), 'top_up', 'gateway', 500, 'gateway:pay_1', PAYMENT],
  [bankTopUp('N1', 500), 'top_up', 'bank', 500, 'bank:N1', { note: 'N1' }],
  [bankTopUp('N2', 500, 'charges'), 'top_up', 'bank', 500, 'bank:N2', { note: 'N2, charges' }],
  [adjustment(-500, 'lost', 'A-1'), 'adjustment', 'adjustments', -500, 'adjustment:A-1', { note: 'lost' }],
  [payout('R-1', 500, 'P-1'), 'payout', 'in_transit', -500, 'payout:R-1', PAYMENT],
  [payoutFailed('R-1', 500, 'P-1'), 'payout_failed', 'in_transit', 500, 'payout-failed:R-1', PAYMENT],
  [
    testMoneyRemoved('P-1', 500, 'live', 'T-1'),
    'adjustment',
    'gateway',
    -500,
    'test-money:T-1',
    { ...PAYMENT, note: 'live' },
  ],
  [tdsTopUp('N1', 5, 'AAPFU0939F'), 'top_up', 'tds', 5, 'tds:N1', { note: DEDUCTED }],
  [bankPayout('N1', 500, 'N1 of Friday'), 'payout', 'bank', -500, 'bank-payout:N1', { note: 'N1 of Friday' }],
];

describe('A posting', () => {
  it.each(POSTINGS)('%j has a kind, an account and a key', (posting, kind, against, amount, key, more) => {
    expect(posting).toEqual({ kind, against, amount, key, ...more });
  });

  it('has a key of its own, that prevents duplicates', () => {
    expect(new Set(POSTINGS.map(([{ key }]) => key)).size).toBe(POSTINGS.length);
    expect(gatewayKey('pay_1')).toBe(gatewayTopUp('P-2', 'pay_1', 1).key);
  });

  it.each<[boolean, string, Posting]>([
    [true, 'a correction with a reference', adjustment(5, UTR, 'A-1')],
    [false, 'a correction to a debit', adjustment(-5, UTR, 'A-1')],
    [false, 'a correction of nothing', adjustment(0, UTR, 'A-1')],
    [false, 'a correction without a reference', adjustment(5, 'goodwill', 'A-1')],
    [false, 'a correction without a note', { ...adjustment(5, '', 'A-1'), note: undefined } as never],
    [true, 'a transfer', bankTopUp(UTR, 5)],
    [false, 'a payment through the gateway', { ...gatewayTopUp('P-1', 'pay_1', 5), note: UTR }],
    [false, 'money that was sent', { ...bankPayout(UTR, 5, UTR), amount: 5 }],
  ])('is recorded by a reference: %s for %s', (isRecorded, _, posting) => {
    expect(isRecordedByReference(posting)).toBe(isRecorded);
  });
});

describe('A payment that is undone', () => {
  it('leaves its order, then the books, and is no receipt', () => {
    const topUp = orderTopUp('WO-1', 500, 'upi 42');
    const undone = undoPostings([topUp, orderPayment('WO-1', 500)], 'wrong order');
    const undoes = { key: 'for:WO-1', reason: 'wrong order' };
    expect(undone).toEqual([
      { kind: 'order_payment', against: 'sales', amount: 500, key: 'undone:order:WO-1', ...ORDER },
      { ...topUp, amount: -500, key: 'undone:for:WO-1', undoes },
    ]);
    expect(receiptsOf([topUp, ...undone])).toEqual([topUp]);
  });

  it('makes room for the next one', () => {
    const next = [orderTopUp('WO-1', 500, undefined, 1), orderPayment('WO-1', 500, 2)];
    expect(next.map(({ key }) => key)).toEqual(['for:WO-1:2', 'order:WO-1:3']);
  });
});

describe('The receipts of postings', () => {
  const BANK = bankTopUp('N1', 500);
  const GATEWAY = gatewayTopUp('P', 'g', 9);
  const FOR_ORDER = orderTopUp('WO-1', 7, '');

  it.each<[string, Posting[], Posting[]]>([
    ['a transfer with its deducted tax', [BANK, tdsTopUp('N1', 5)], [{ ...BANK, amount: 505 }]],
    ['a transfer', [BANK], [BANK]],
    ['a transfer of nothing', [bankTopUp('N1', 0)], []],
    ['a payment through the gateway and an order', [GATEWAY, orderPayment('WO-1', 7)], [GATEWAY]],
    ['two payments', [GATEWAY, FOR_ORDER], [GATEWAY, FOR_ORDER]],
    ['an order', [orderPayment('WO-1', 7)], []],
  ])('are those of %s', (_, postings, receipts) => {
    expect(receiptsOf(postings)).toEqual(receipts);
  });

  it('say if the PAN of deducted tax is unknown', () => {
    expect(tdsTopUp('N1', 5).note).toBe('N1, TDS under section 393(1), PAN unknown');
  });
});
