import {
  findRepeatedUse,
  isSamePayment,
  joinReference,
  namesPayment,
  parseUtr,
  referenceKey,
  type ReferenceUse,
  usesInForce,
} from './payment-reference.js';

describe('A reference', () => {
  it.each([
    ['UPI 432112345678', '432112345678'],
    ['Bank transfer n3242611', 'N3242611'],
    ['CHEQUE 000123 HDFC BANK', '123'],
    ['gateway:pay_Abc123', 'ABC123'],
    ['CHEQUE 100200', '100200'],
    ['goodwill', ''],
    ['receipt 000', ''],
  ])('%j has the key %j', (text, key) => expect(referenceKey(text)).toBe(key));

  it.each([
    ['1234-567 890', '1234567890'],
    ['123456789', undefined],
    ['of 1234567890/', undefined],
    ['1234567890/', undefined],
    ['/1234567890', undefined],
    ['1234567890123456789012', '1234567890123456789012'],
    ['12345678901234567890123', undefined],
  ])('%j has the UTR %j', (text, utr) => expect(parseUtr(text)).toBe(utr));

  it.each([
    ['4321 1234 5678', '432112345678'],
    ['n324-2611-2000-4711', 'N324261120004711'],
    ['000123', '000123'],
    ['123456 HDFC', '123456 HDFC'],
    [undefined, undefined],
  ])('typed as %j is kept as %j', (text, joined) => expect(joinReference(text)).toBe(joined));

  it.each([
    ['432112345678', true],
    ['UTR 0000012345', true],
    ['cheque 12', true],
    ['Cash, receipt 7', true],
    ['5 % for November', false],
    ['WO-20261130-AB12C', false],
    ['cheque', false],
  ])('%j names a payment: %j', (text, names) => expect(namesPayment(text)).toBe(names));

  it.each([
    ['UPI 432112345678', '432112345678, reported ₹5', true],
    ['Cheque 123456 HDFC', 'CHEQUE 000123456 HDFC BANK', true],
    ['Cheque 123456', 'CHEQUE 123456 HDFC', true],
    ['Cheque 123456 HDFC', 'CHEQUE 123456 SBI', false],
    ['Cheque 123456 HDFC', 'CHEQUE 123456 HDFC PUNE 4711', false],
    ['Cheque 123456 HDFC', 'CHEQUE 123456 HDFC, reported 5, received 4', true],
    ['Cheque 123456 HDFC', 'CASH 123456', false],
    ['Cash 17', 'CASH R 17', true],
    ['Cash 17 HDFC', 'CASH 17 SBI', true],
    ['UPI 432112345678 HDFC', '432112345678 SBI', true],
    ['Chq AB123 hdfc', 'CHEQUE AB123 SBI', false],
    ['Cheque 12 HDFC Pune', 'Cheque 12 HDFCPUNE', false],
    ['Cheque 12', '12', false],
    ['Cheque 12', 'Cheque 13', false],
    ['5 % off', '5 % off', false],
  ])('%j and %j are one payment: %j', (one, other, same) => {
    expect([isSamePayment(one, other), isSamePayment(other, one)]).toEqual([same, same]);
  });
});

describe('The uses of a reference', () => {
  const use = (amount: number, clientId = 1, day = '2026-11-30') =>
    ({ amount, clientId, day, key: '' }) as ReferenceUse;

  it('end with the entry of the same client that takes one back', () => {
    expect(usesInForce([use(-5), use(5), use(5, 2)])).toEqual([use(5, 2)]);
    expect(usesInForce([use(-5), use(5), use(5)])).toEqual([use(5)]);
    expect(usesInForce([use(-4), use(5)])).toEqual([use(5)]);
    expect(usesInForce([use(-5, 2), use(5), use(5, 2)])).toEqual([use(5)]);
  });

  it('end with the payment that was undone, and a later one of the same amount counts', () => {
    const paid = (key: string, amount: number, day: string, clientId = 1) => ({
      ...use(amount, clientId, day),
      key,
    });
    const again = paid('for:WO-2', 5, '2026-11-30');
    const first = paid('for:WO-1', 5, '2026-11-29');
    const undone = paid('undone:for:WO-1', -5, '2026-11-30');
    expect(usesInForce([again, undone, first])).toEqual([again]);
    expect(usesInForce([undone, again, first])).toEqual([again]);
    expect(usesInForce([{ ...undone, clientId: 2 }, first])).toEqual([first]);
    // The payment itself is too old to be listed.
    expect(usesInForce([undone, again])).toEqual([again]);
  });

  it('are the same payment on the same day with the same amount', () => {
    const payment = { amount: 5, day: '2026-11-30' };
    expect(findRepeatedUse([use(4), use(5, 2)], payment)).toEqual(use(5, 2));
    expect(findRepeatedUse([use(5, 1, '2026-11-29'), use(4)], payment)).toBeUndefined();
  });
});
