import fc from 'fast-check';
import { validateVariations } from './validate-variations.js';
import { formatVariations, parseVariations } from './variation-list.js';

describe('variations in a cell', () => {
  it('are written and read as people do', () => {
    const variations = [
      { name: 'Color', values: ['Red', 'Blue'] },
      { name: 'Size', values: ['S', 'M'] },
    ];
    expect(formatVariations(variations)).toBe('Color=Red|Blue; Size=S|M');
    expect(parseVariations(' Color = Red | Blue ;Size=S|M; ')).toEqual(variations);
    expect(parseVariations('')).toEqual([]);
  });

  it('may hold the separators themselves after a backslash', () => {
    expect(parseVariations('Fit=a\\=b|c\\;d|e\\\\f')).toEqual([
      { name: 'Fit', values: ['a=b', 'c;d', 'e\\f'] },
    ]);
  });

  it.each(['Color', 'Color=Red=Blue', 'Red|Blue; Size=S'])(
    'are refused where a part is not name=values: %s',
    (text) => {
      expect(parseVariations(text)).toEqual({
        fault: expect.stringContaining('Color=Red|Blue; Size=S|M') as string,
      });
    },
  );

  it('are read as they were written, whatever a product may be called', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', '=', ';', '\\', ' ', 'é'),
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
