import * as fc from 'fast-check';
import { MAX_PRICE } from '../../platform/money/money.js';
import { basisPointsFromPercent, parseDiscount, planPrice } from './plan-price.js';

describe('planPrice', () => {
  it.each([
    ['no discount', 24_990, 0, 24_990],
    ['ten percent', 24_990, 1_000, 22_491],
    ['half a minor unit rounds up', 1, 5_000, 1],
    ['just below half rounds down', 1, 5_001, 0],
    ['a third decimal of 5 rounds up', 12_345, 1_000, 11_111],
    ['a hundredth of a percent', 100_000_000, 1, 99_990_000],
    ['everything off', 24_990, 10_000, 0],
    ['a free product', 0, 1_250, 0],
  ])('subtracts the discount from the base price: %s', (_, base, discount, expected) => {
    expect(planPrice(base, discount, null)).toBe(expected);
  });

  it('prefers the fixed price of the plan, even 0', () => {
    expect(planPrice(24_990, 1_000, 19_900)).toBe(19_900);
    expect(planPrice(24_990, 1_000, 0)).toBe(0);
  });

  it('equals exact integer arithmetic for every price and discount', () => {
    fc.assert(
      fc.property(fc.nat(MAX_PRICE), fc.nat(10_000), (base, discount) => {
        const exact = (BigInt(base) * BigInt(10_000 - discount) + 5_000n) / 10_000n;
        expect(BigInt(planPrice(base, discount, null))).toBe(exact);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('basisPointsFromPercent', () => {
  it.each([
    ['12.50', 1_250],
    ['0.00', 0],
    ['100.00', 10_000],
    ['7', 700],
    ['0.01', 1],
  ])('reads %s percent', (text, expected) => {
    expect(basisPointsFromPercent(text)).toBe(expected);
  });

  it.each(['', 'ten', '12.345', '-1', '100.01'])('refuses %j', (text) => {
    expect(() => basisPointsFromPercent(text)).toThrow(RangeError);
  });
});

describe('parseDiscount', () => {
  it('reports the fault of typed text', () => {
    expect(parseDiscount(' 12.5 ')).toEqual({ basisPoints: 1_250 });
    expect(parseDiscount('12.5 %')).toEqual({ basisPoints: 1_250 });
    expect(parseDiscount('101')).toEqual({ fault: 'must be from 0 to 100' });
  });

  it('reports an invalid discount in the database', () => {
    expect(() => basisPointsFromPercent('101.00')).toThrow('The discount "101.00" must be from 0 to 100.');
  });
});
