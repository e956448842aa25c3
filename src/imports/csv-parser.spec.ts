import fc from 'fast-check';
import { CsvParser } from './csv-parser.js';
import type { FileRecord } from './file-record.js';

const FORMAT = { delimiter: ',', lineBreak: '\n' } as const;

function parse(...pieces: string[]): FileRecord[] {
  const parser = new CsvParser(FORMAT);
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()];
}

describe('the CSV parser', () => {
  it('finds the same rows wherever the text is cut into pieces', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '""', ',', '\n', '\r\n'), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.nat(30), fc.nat(30), (whole, one, other) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        expect(parse(whole.slice(0, first), whole.slice(first, second), whole.slice(second))).toEqual(
          parse(whole),
        );
      }),
    );
  });

  it('keeps what stands between quotes, and knows an empty cell from a missing row', () => {
    expect(parse('"a ""b""",,"c\r\nd"\r\n\n""')).toEqual([
      { line: 1, cells: ['a "b"', '', 'c\r\nd'] },
      { line: 2, cells: [''] },
      { line: 3, cells: [''] },
    ]);
  });

  it('refuses a row without end', () => {
    const parser = new CsvParser(FORMAT);
    expect(() => parser.push(`a\n"${'x'.repeat(1_000_001)}`)).toThrow('Row 2 is longer');
  });
});
