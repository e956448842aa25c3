import { INVOICE_NEEDS, missingDataNotice, missingInvoiceData } from './invoice-needs.js';

describe('A client of an invoice', () => {
  it.each([
    ['29', '4, Residency Road', undefined],
    [null, '4, Residency Road', 'GSTIN or state'],
    ['29', null, 'billing address'],
    [null, null, 'GSTIN or state, and billing address'],
  ])('with the state %j and the address %j lacks %j', (state, billingAddress, lacked) => {
    expect(missingInvoiceData({ state, billingAddress })).toBe(lacked);
    const isNull = INVOICE_NEEDS.map((need) => ({ state, billingAddress })[need] === null);
    expect(isNull.includes(true)).toBe(lacked !== undefined);
  });

  it('cannot be served without them, which its page says', () => {
    expect(missingDataNotice('billing address')).toBe(
      'Its parcels cannot leave: an invoice needs its billing address.',
    );
  });
});
