import * as fc from 'fast-check';
import { foldSpelling } from './variations.js';

describe('foldSpelling', () => {
  it.each([
    ['Red', 'rED'],
    ['Sky  Blue', '\tsky\u00a0blue\n'],
    ['Red / XL', 'red/xl'],
    ['Size: XL, Color: Red', 'size:xl ,color :red'],
    ['Weiß', 'WEISS'],
    ['STRAẞE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['Café', 'CAFE\u0301'],
    ['İstanbul', 'i\u0307stanbul'],
    ['लाल', ' लाल '],
  ])('treats %j and %j as equal', (one, other) => {
    expect(foldSpelling(one)).toBe(foldSpelling(other));
  });

  it.each([
    ['Red', 'Reds'],
    ['1/2', '12'],
    ['Sky Blue', 'Skyblue'],
    ['m²', 'm2'],
    ['लाल', 'लल'],
  ])('keeps %j and %j different', (one, other) => {
    expect(foldSpelling(one)).not.toBe(foldSpelling(other));
  });

  it('does not depend on the case of printable ASCII', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(foldSpelling(text.toUpperCase())).toBe(foldSpelling(text.toLowerCase()));
      }),
    );
  });
});
