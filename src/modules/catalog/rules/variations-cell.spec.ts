import fc from 'fast-check';
import { formatVariations, parseVariations, validateVariations } from './variations-cell.js';

describe('variations in a cell', () => {
  it('are written and read in a readable form', () => {
    const variations = [
      { name: 'Color', values: ['Red', 'Blue'] },
      { name: 'Size', values: ['S', 'M'] },
    ];
    expect(formatVariations(variations)).toBe('Color=Red|Blue; Size=S|M');
    expect(parseVariations(' Color = Red | Blue ;Size=S|M; ')).toEqual(variations);
    expect(parseVariations('')).toEqual([]);
  });

  it('may contain the separators after a backslash', () => {
    expect(parseVariations('Fit=a\\=b|c\\;d|e\\\\f')).toEqual([
      { name: 'Fit', values: ['a=b', 'c;d', 'e\\f'] },
    ]);
  });

  it.each(['Color', 'Color=Red=Blue', 'Red|Blue; Size=S'])(
    'are refused when a part is not name=values: %s',
    (text) => {
      expect(parseVariations(text)).toEqual({
        fault: expect.stringContaining('Color=Red|Blue; Size=S|M') as string,
      });
    },
  );

  it('name the invalid part, without spaces around it', () => {
    expect(parseVariations('Size=S;  Color ')).toEqual({
      fault: 'must look like Color=Red|Blue; Size=S|M, but a part of it is "Color"',
    });
  });

  it('are read as they were written, for all names and values', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'aB=;\\ é'),
      minLength: 1,
      maxLength: 6,
    });
    const variation = fc.record({ name: text, values: fc.array(text, { minLength: 1, maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(variation, { maxLength: 3 }), (variations) => {
        fc.pre(validateVariations(variations).length === 0);
        expect(parseVariations(formatVariations(variations))).toEqual(variations);
      }),
    );
  });
});

const numbered = (count: number, prefix: string) => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

describe('validateVariations', () => {
  it('finds no fault without variations', () => {
    expect(validateVariations([])).toEqual([]);
  });

  it('accepts spaces, commas, slashes and colons in values', () => {
    expect(
      validateVariations([
        { name: 'Pipe size', values: ['1/2 inch', '1, or 2', 'S / M'] },
        { name: 'Ratio', values: ['16:9', '4:3'] },
      ]),
    ).toEqual([]);
  });

  it('accepts the maximum of variations, values and characters', () => {
    const five = numbered(5, 'n').map((name) => ({ name, values: ['v'] }));
    const combined = ['Color', 'Size'].map((name, n) => ({ name, values: numbered([50, 10][n]!, 'v') }));
    const long = { name: 'n'.repeat(50), values: ['v'.repeat(100)] };
    expect([five, combined, [long]].flatMap(validateVariations)).toEqual([]);
  });

  it.each([
    ['an empty name', [{ name: ' ', values: ['a'] }], 'A variation name is empty.'],
    ['no values', [{ name: 'Size', values: [] }], 'The variation "Size" has no values.'],
    ['an empty value', [{ name: 'Size', values: [''] }], 'A value of "Size" is empty.'],
    ['a colon in a name', [{ name: 'a:b', values: ['x'] }], 'The variation name "a:b" must not contain ":".'],
    ['a bar in a name', [{ name: 'a|b', values: ['x'] }], 'The variation name "a|b" must not contain "|".'],
    ['a bar', [{ name: 'Size', values: ['S|M'] }], 'The value of "Size" "S|M" must not contain "|".'],
    ['padding', [{ name: 'Size', values: ['S '] }], 'The value of "Size" "S " begins or ends with a space.'],
    ['a repeated value', [{ name: 'Size', values: ['XL', 'xl'] }], 'The value of "Size" "xl" occurs twice.'],
    [
      'a repeated name',
      [
        { name: 'Size', values: ['S'] },
        { name: 'SIZE', values: ['M'] },
      ],
      'The variation name "SIZE" occurs twice.',
    ],
    [
      'a long name',
      [{ name: 'n'.repeat(51), values: ['S'] }],
      `The variation name "${'n'.repeat(51)}" is longer than 50 characters.`,
    ],
    [
      'a NUL',
      [{ name: 'Size', values: ['S\u0000M'] }],
      'The value of "Size" "S\\u0000M" contains a character that cannot be shown.',
    ],
    [
      'half a surrogate pair',
      [{ name: 'Size', values: ['S\ud800'] }],
      'The value of "Size" "S\\ud800" contains a character that cannot be shown.',
    ],
    [
      'too many combinations',
      [
        { name: 'Color', values: numbered(51, 'c') },
        { name: 'Size', values: numbered(10, 's') },
      ],
      'The variations make 510 combinations; there must be at most 500.',
    ],
    ['six', numbered(6, 'n').map((name) => ({ name, values: ['v'] })), 'There must be at most 5 variations.'],
  ])('reports %s', (_, variations, fault) => {
    expect(validateVariations(variations)).toEqual([fault]);
  });

  it('does not report empty values as repeated', () => {
    expect(validateVariations([{ name: 'Size', values: ['', ' '] }])).toEqual([
      'A value of "Size" is empty.',
      'A value of "Size" is empty.',
    ]);
  });

  it('reports every fault at once', () => {
    expect(validateVariations([{ name: 'a:b', values: ['x|', 'x', 'X'] }])).toHaveLength(3);
  });
});
