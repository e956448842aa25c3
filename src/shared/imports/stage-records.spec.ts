import { copyRow } from './stage-records.js';

describe('the text format of COPY', () => {
  it('keeps separators, backslashes and nothingness apart', () => {
    expect(copyRow([1, null, 'a\tb\nc\rd\\N', ''])).toBe('1\t\\N\ta\\tb\\nc\\rd\\\\N\t\n');
  });

  it('quotes the elements of an array', () => {
    expect(copyRow([['a', 'b,c', '"', '\\', '']])).toBe('{"a","b,c","\\\\"","\\\\\\\\",""}\n');
  });
});
