import { withinBytes } from './within-bytes.js';

const fault = (n: number, message = 'is required') => ({
  field: `items[${n}].sku`,
  code: 'required',
  message,
});
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('What is kept of faults', () => {
  it('is all of a few', () => {
    const faults = [fault(0), { ...fault(1), sku: 'MUG' }];
    expect(withinBytes(faults, 1_000)).toEqual(faults);
  });

  it('is as many as fit, and how many more there were', () => {
    const kept = withinBytes(
      Array.from({ length: 100 }, (_, n) => fault(n)),
      1_000,
    );
    expect(kept.at(-1)).toEqual({ field: '', code: 'not_kept', message: `and ${101 - kept.length} more` });
    expect(kept.length).toBeGreaterThan(10);
    expect(bytesOf(kept)).toBeLessThan(1_100);
  });

  it('is bounded whatever one of them says', () => {
    expect(withinBytes([fault(0, 'ä'.repeat(10_000))], 1_000)).toEqual([
      { field: '', code: 'not_kept', message: 'and 1 more' },
    ]);
  });
});
