import { code128 } from './code128.js';

const widthsOf = (text: string) => code128(text).join('');

describe('A barcode', () => {
  it('has start, characters, check character and end', () => {
    // The example of the standard's usual description, in code set B: its check value is 55.
    expect(widthsOf('PJJ123C')).toBe(
      '211214 313121 112133 112133 123221 223211 221132 131321 311321 2331112'.replaceAll(' ', ''),
    );
  });

  it('has eleven modules for each character, and a pattern of its own', () => {
    const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(at + 32));
    const patterns = ascii.map((character) => widthsOf(character).slice(6, 12));
    expect(new Set(patterns).size).toBe(95);
    for (const pattern of patterns)
      expect([...pattern].reduce((sum, width) => sum + Number(width), 0)).toBe(11);
    const whole = code128('WO-20261120-7K3M9-QXA2B').reduce((sum, width) => sum + width, 0);
    expect(whole).toBe((23 + 2) * 11 + 13);
  });
});
