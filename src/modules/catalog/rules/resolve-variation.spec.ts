import * as fc from 'fast-check';
import { resolveVariation } from './resolve-variation.js';
import { type Variation, variationKeys } from '../../../read-model/products/variations.js';

const SHIRT: Variation[] = [
  { name: 'Color', values: ['Red', 'Dark Red', 'Sky Blue'] },
  { name: 'Size', values: ['M', 'L', 'XL'] },
];
const PIPE: Variation[] = [
  { name: 'Bore', values: ['1/2 inch', '1 inch', '2'] },
  { name: 'Ends', values: ['S / M', 'M, F', 'Type: B'] },
];
const JEANS: Variation[] = [
  { name: 'Waist', values: ['30', '32'] },
  { name: 'Length', values: ['30', '32'] },
];
const CHAIN: Variation[] = [
  { name: 'First', values: ['a', 'a / b'] },
  { name: 'Second', values: ['b / c', 'c'] },
];

const UNKNOWN = { error: 'unknown_variation' };

const resolve = (variations: Variation[], text: string) =>
  resolveVariation(variations, variationKeys(variations), text);

describe('resolveVariation', () => {
  it.each([
    ['the values', 'Red / XL'],
    ['the key', 'Color:Red|Size:XL'],
    ['named pairs', 'Size: XL, Color: Red'],
    ['values in another order', 'XL / Red'],
    ['another case', 'rED / xl'],
    ['other space', '  Red/XL '],
    ['a key in another order', 'size:xl|color:red'],
    ['a name for one value only', 'Red, Size: XL'],
    ['commas', 'Red, XL'],
  ])('understands %s', (_, text) => {
    expect(resolve(SHIRT, text)).toEqual({ key: 'Color:Red|Size:XL' });
  });

  it.each([
    ['1/2 inch / S / M', 'Bore:1/2 inch|Ends:S / M'],
    ['S/M / 1 / 2 inch', 'Bore:1/2 inch|Ends:S / M'],
    ['2 / M, F', 'Bore:2|Ends:M, F'],
    ['M,F,2', 'Bore:2|Ends:M, F'],
    ['Ends: Type: B, Bore: 1 inch', 'Bore:1 inch|Ends:Type: B'],
    ['type:b / 2', 'Bore:2|Ends:Type: B'],
  ])('reads values that contain separators: %s', (text, key) => {
    expect(resolve(PIPE, text)).toEqual({ key });
  });

  it.each([
    ['an unknown value', 'Green / XL'],
    ['part of a value', 'Blue / XL'],
    ['a value and more', 'Red / XLS'],
    ['a value within a sentence', 'the Red / XL one'],
    ['one value missing', 'Red'],
    ['a value too many', 'Red / XL / M'],
    ['the same value twice', 'Red / Red'],
    ['two values of one variation', 'Red / Sky Blue'],
    ['a value under another name', 'Size: Red, Color: XL'],
    ['no separator', 'Red XL'],
    ['a dangling separator', 'Red / XL /'],
    ['separators alone', '/'],
    ['a name alone', 'Color:'],
    ['a property of every object', '__proto__'],
  ])('refuses %s', (_, text) => {
    expect(resolve(SHIRT, text)).toEqual(UNKNOWN);
  });

  it.each(['', '   ', '\t\n'])('requires a variation when the text is %j', (text) => {
    expect(resolve(SHIRT, text)).toEqual({ error: 'variation_required' });
  });

  it('does not guess when a text fits two keys', () => {
    expect(resolve(JEANS, '30 / 32')).toEqual({
      error: 'ambiguous_variation',
      readings: ['Waist:30|Length:32', 'Waist:32|Length:30'],
    });
    expect(resolve(JEANS, 'Length: 30 / 32')).toEqual({ key: 'Waist:32|Length:30' });
    expect(resolve(JEANS, '30 / 30')).toEqual({ key: 'Waist:30|Length:30' });
    expect(resolve(CHAIN, 'a / b / c')).toEqual({
      error: 'ambiguous_variation',
      readings: ['First:a|Second:b / c', 'First:a / b|Second:c'],
    });
    expect(resolve(CHAIN, 'First: a, Second: b / c')).toEqual({ key: 'First:a|Second:b / c' });
  });

  it('accepts only the keys of the product', () => {
    const sold = ['Color:Red|Size:M'];
    expect(resolveVariation(SHIRT, sold, 'Red / M')).toEqual({ key: 'Color:Red|Size:M' });
    expect(resolveVariation(SHIRT, sold, 'Red / XL')).toEqual(UNKNOWN);
  });

  it('accepts the bare value of a single variation', () => {
    expect(resolve([{ name: 'Size', values: ['M', 'XL'] }], 'xl')).toEqual({ key: 'Size:XL' });
  });

  it('recognises every key of every product', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9 ,/]{0,6}[A-Za-z0-9])?$/);
    const unique = { selector: (text: string) => text.toUpperCase().replace(/\s+/g, ' ') };
    const variations = fc
      .uniqueArray(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 1, maxLength: 3 })
      .chain((names) =>
        fc.tuple(
          ...names.map((name) =>
            fc.record({
              name: fc.constant(name),
              values: fc.uniqueArray(word, { ...unique, minLength: 1, maxLength: 4 }),
            }),
          ),
        ),
      );
    fc.assert(
      fc.property(variations, fc.nat(), (some, pick) => {
        const keys = variationKeys(some);
        const key = keys[pick % keys.length] ?? '';
        expect(resolveVariation(some, keys, ` ${key} `)).toEqual({ key });
      }),
    );
  });

  it('finds the same key for all spellings of plain values', () => {
    const spelling = fc.record({
      color: fc.constantFrom('Red', 'Dark Red', 'Sky Blue'),
      size: fc.constantFrom('M', 'L', 'XL'),
      colorName: fc.constantFrom('', 'Color:', 'color : '),
      sizeName: fc.constantFrom('', 'Size:', 'SIZE: '),
      separator: fc.constantFrom('/', ' / ', ',', ', ', '|', ' | '),
      sizeFirst: fc.boolean(),
    });
    fc.assert(
      fc.property(spelling, ({ color, size, colorName, sizeName, separator, sizeFirst }) => {
        const parts = [`${colorName}${color.toLowerCase()}`, `${sizeName}${size.toLowerCase()}`];
        const text = (sizeFirst ? parts.toReversed() : parts).join(separator);
        expect(resolve(SHIRT, text)).toEqual({ key: `Color:${color}|Size:${size}` });
      }),
    );
  });

  it('answers a hostile text without trying every combination', () => {
    const alike = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name, values: ['0', '1', '2'] }));
    expect(resolve(alike, `${'0 / '.repeat(50_000)}x`)).toEqual(UNKNOWN);
    expect(resolve(alike, ' '.repeat(200_000) + 'x')).toEqual(UNKNOWN);
  });
});
