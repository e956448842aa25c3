import * as fc from 'fast-check';
import { isHomeSupply, sumOfParts, taxWithin } from './tax.js';

const gross = fc.integer({ min: 0, max: 10 ** 15 });
const rate = fc.oneof(fc.constantFrom(0, 25, 300, 500, 1_200, 1_800, 2_800, 4_000), fc.nat(10_000));
const sum = ({ taxable, cgst, sgst, igst }: ReturnType<typeof taxWithin>) => taxable + cgst + sgst + igst;

describe('The tax within an amount', () => {
  it.each([
    [11_800, 1_800, true, { taxable: 10_000, cgst: 900, sgst: 900, igst: 0 }],
    [11_800, 1_800, false, { taxable: 10_000, cgst: 0, sgst: 0, igst: 1_800 }],
    [10_000, 500, true, { taxable: 9_524, cgst: 238, sgst: 238, igst: 0 }],
    [100, 1_800, true, { taxable: 84, cgst: 8, sgst: 8, igst: 0 }],
    [4_900, 1_800, true, { taxable: 4_152, cgst: 374, sgst: 374, igst: 0 }],
    [4_900, 1_800, false, { taxable: 4_153, cgst: 0, sgst: 0, igst: 747 }],
    [9_999, 0, true, { taxable: 9_999, cgst: 0, sgst: 0, igst: 0 }],
    [1, 10_000, false, { taxable: 0, cgst: 0, sgst: 0, igst: 1 }],
    [10 ** 15, 4_000, false, { taxable: 714_285_714_285_714, cgst: 0, sgst: 0, igst: 285_714_285_714_286 }],
  ])('of %d at %d is known to the paisa', (amount, at, isWithinState, parts) => {
    expect(taxWithin(amount, at, isWithinState)).toEqual(parts);
  });

  it('adds up to the amount with the rest, is half up, and has equal halves', () => {
    fc.assert(
      fc.property(gross, rate, fc.boolean(), (amount, at, isWithinState) => {
        const parts = taxWithin(amount, at, isWithinState);
        expect(sum(parts)).toBe(amount);
        expect(Math.min(...Object.values(parts))).toBeGreaterThanOrEqual(0);
        expect(isWithinState ? parts.igst : parts.cgst + parts.sgst).toBe(0);
        expect(parts.cgst).toBe(parts.sgst);
        const whole = BigInt(10_000 + at) * (isWithinState ? 2n : 1n);
        const off = BigInt(parts.cgst + parts.igst) * whole - BigInt(amount) * BigInt(at);
        expect(2n * off <= whole && 2n * off > -whole).toBe(true);
      }),
    );
  });

  it('of one paisa is never two paise', () => {
    // The halves of 18 % of 5 paise are rounded up from 0.38; those of 6 from 0.46; those of 7 from 0.53.
    expect(taxWithin(1, 1_800, true, 6)).toEqual({ taxable: 1, cgst: 0, sgst: 0, igst: 0 });
    expect(taxWithin(2, 1_800, true, 6)).toEqual({ taxable: 0, cgst: 1, sgst: 1, igst: 0 });
    expect(taxWithin(1, 1_800, false, 3)).toEqual({ taxable: 0, cgst: 0, sgst: 0, igst: 1 });
  });

  it('of all parts of a line adds up to the tax of the line', () => {
    fc.assert(
      fc.property(fc.array(gross, { maxLength: 5 }), rate, fc.boolean(), (amounts, at, isWithinState) => {
        let before = 0;
        const parts = amounts.map((amount) => {
          const part = taxWithin(amount, at, isWithinState, before);
          before += amount;
          expect(sum(part)).toBe(amount);
          expect(part.cgst).toBe(part.sgst);
          expect(part.taxable).toBeGreaterThanOrEqual(0);
          return part;
        });
        if (!isWithinState || !amounts.includes(1))
          expect(sumOfParts(parts)).toEqual(taxWithin(before, at, isWithinState));
      }),
    );
  });
});

describe('A supply within the state', () => {
  it.each([
    ['29', undefined, true],
    ['29', 'government', true],
    ['29', 'sez', false],
    ['32', null, false],
  ] as const)('from 29 to %s, to the category %s: %s', (placeOfSupply, gst_category, expected) => {
    const parties = { seller: { state: '29' }, client: { gst_category } };
    expect(isHomeSupply(placeOfSupply, parties)).toBe(expected);
  });
});
