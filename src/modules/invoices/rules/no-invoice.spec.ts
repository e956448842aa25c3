import { isBilledElsewhere, readNoInvoiceReason, unbilledDelivery } from './no-invoice.js';

describe('The reason to ship without an invoice', () => {
  it.each([
    ['export under LUT', 'export under LUT'],
    ['Export: under LUT, invoice 12', 'export under LUT, invoice 12'],
    [' sample ', 'sample'],
    ['replacement', 'replacement'],
    ['elsewhere INV/12', 'elsewhere INV/12'],
  ])('begins with a word of the list: %p', (text, reason) => {
    expect(readNoInvoiceReason(text)).toBe(reason);
  });

  it.each(['x', 'exports', 'under LUT', '- sample', 'sam:ple', 'constructor', 'sample\u0000'])(
    'is not %p',
    (text) => {
      expect(() => readNoInvoiceReason(text)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
    },
  );

  it('is named with the whole list if it is none of it', () => {
    const words = 'export, elsewhere, replacement, sample';
    expect(() => readNoInvoiceReason('x')).toThrow(
      expect.objectContaining({
        message: `The reason to ship without an invoice must begin with one of: ${words}.`,
        errors: [{ field: 'no_invoice', code: 'invalid_value', message: `must begin with one of: ${words}` }],
      }),
    );
    expect(() => readNoInvoiceReason(' ')).toThrow(/reason/);
  });
});

describe('The delivery charge', () => {
  type Left = Parameters<typeof unbilledDelivery>[1];
  const waived = { lines: [1], noInvoice: 'sample' };
  const billed = { lines: [1], noInvoice: null };
  const box = { lines: [], noInvoice: null };
  const fate = (status: string, parcels: Left, delivery = 4_000) =>
    unbilledDelivery({ status, delivery }, parcels);

  const exported = { lines: [1], noInvoice: 'export under LUT' };

  it('is due while goods are left, and lost when all have left without an invoice', () => {
    expect(fate('pending', [waived])).toBe('due');
    expect(fate('shipped', [waived, waived, box])).toBe('lost');
    expect(fate('delivered', [waived])).toBe('lost');
  });

  it('goes with goods that are invoiced elsewhere', () => {
    expect(fate('pending', [exported])).toBe('elsewhere');
    expect(fate('shipped', [billed, waived, exported])).toBe('elsewhere');
    expect(fate('shipped', [exported], 0)).toBeUndefined();
  });

  it('is billed with other parcels, and nothing without a parcel or a charge', () => {
    expect(fate('pending', [waived, billed])).toBeUndefined();
    expect(fate('shipped', [billed, waived])).toBeUndefined();
    expect(fate('pending', [])).toBeUndefined();
    expect(fate('pending', [box])).toBeUndefined();
    expect(fate('pending', [waived], 0)).toBeUndefined();
  });
});

describe('The delivery of goods without an invoice', () => {
  it.each([
    [null, true],
    ['export under LUT', true],
    ['elsewhere INV/12', true],
    ['sample for export', false],
    ['replacement', false],
  ])('is billed elsewhere if the goods left for %j', (reason, isElsewhere) => {
    expect(isBilledElsewhere(reason)).toBe(isElsewhere);
  });
});
