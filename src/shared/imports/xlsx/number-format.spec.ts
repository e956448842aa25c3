import { builtInFormat, formatOfCode } from './number-format.js';

const format = (code: string, value: number) => formatOfCode(code)(value, false);

describe('what a cell shows of a number', () => {
  it.each([
    ['General', 8901234567890, '8901234567890'],
    ['General', 19.989999999999998, '19.99'],
    ['General', 0.1 + 0.2, '0.3'],
    ['0', 5, '5'],
    ['0.00', 12.5, '12.5'],
    ['#,##0.00', 1234.5, '1234.5'],
    ['[$₹-4009] #,##0.00', 1234.5, '1234.5'],
    ['"₹"#,##0.00;[Red]-"₹"#,##0.00', 99, '99'],
    ['00000', 1, '00001'],
    ['@', 42, '42'],
  ])('is, by the format %s, of %d the text %s', (code, value, text) => {
    expect(format(code, value)).toEqual({ text });
  });

  it.each([
    ['yyyy-mm-dd', 46_346, '2026-11-20'],
    ['dd/mm/yyyy hh:mm', 46_346.75, '2026-11-20T18:00:00'],
    ['[$-409]d\\-mmm\\-yy;@', 46_346, '2026-11-20'],
  ])('is, by the format %s, of %d the date %s', (code, value, text) => {
    expect(format(code, value)).toEqual({ text, isDate: true });
    expect(builtInFormat(14)(46_346, false)).toEqual({ text: '2026-11-20', isDate: true });
    expect(builtInFormat(14)(46_346 - 1_462, true)).toEqual({ text: '2026-11-20', isDate: true });
  });

  it.each([
    ['General', 1234567890123456],
    ['General', 1e-10],
    ['0%', 0.5],
    ['"SKU-"0000', 12],
    ['000\\-000', 123456],
    ['# ?/?', 0.5],
    ['hh:mm', 0.5],
  ])('is, by the format %s, of %d a fault', (code, value) => {
    expect(format(code, value)).toEqual({
      fault: expect.stringContaining('format the column as text') as string,
    });
  });
});
