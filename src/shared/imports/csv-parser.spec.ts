import fc from 'fast-check';
import { CsvParser } from './csv-parser.js';
import type { FileRecord } from './record-source.js';

const FORMAT = { delimiter: ',', lineBreak: '\n' } as const;

function parse(...chunks: string[]): FileRecord[] {
  const parser = new CsvParser(FORMAT);
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

describe('the CSV parser', () => {
  it('finds the same rows in pieces of any size', () => {
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

  it('keeps the text between quotes, and tells an empty cell from a missing row', () => {
    expect(parse('"a ""b""",,"c\r\nd"\r\n\n""')).toEqual([
      { line: 1, cells: ['a "b"', '', 'c\r\nd'] },
      { line: 2, cells: [''] },
      { line: 3, cells: [''] },
    ]);
  });

  it.each([
    ['a plain one', 'x'.repeat(250_000)],
    ['a quoted one', `"${'x\n""'.repeat(70_000)}",b`],
    ['one with quotes that open nothing', `x${'"y'.repeat(130_001)}`],
  ])('skips a row that is too long, in pieces of any size: %s', (_title, row) => {
    const text = `a\n${row}\nb,c\n`;
    for (const size of [text.length, 65_536, 199_999]) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size),
      );
      expect(parse(...chunks)).toEqual([
        { line: 1, cells: ['a'] },
        {
          line: 2,
          cells: [],
          fault: {
            message: expect.stringContaining('longer than 200000') as string,
            text: `${row.slice(0, 1_000)} …`,
          },
        },
        { line: 3, cells: ['b', 'c'] },
      ]);
    }
  });

  it('reports a quote that never closes, before any amount of text', () => {
    const [, row] = parse('a\n', `"${'x\n'.repeat(150_000)}`, 'y\n');
    expect(row).toMatchObject({
      line: 2,
      fault: { message: expect.stringContaining('never closes') as string },
    });
  });
});
