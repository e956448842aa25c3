import { keptReasons } from './kept-reasons.js';

const reason = (n: number, message = 'is required') => ({
  field: `items[${n}].sku`,
  code: 'required',
  message,
});
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('What is kept of the reasons', () => {
  it('is all of a few, without the keys that would have been valid', () => {
    const reasons = [reason(0), { ...reason(1), valid_keys: ['Size:S'] }];
    expect(keptReasons(reasons, 1_000)).toEqual([reason(0), reason(1)]);
  });

  it('is as many as fit, and how many more there were', () => {
    const kept = keptReasons(
      Array.from({ length: 100 }, (_, n) => reason(n)),
      1_000,
    );
    expect(kept.at(-1)).toEqual({ field: '', code: 'not_kept', message: `and ${101 - kept.length} more` });
    expect(kept.length).toBeGreaterThan(10);
    expect(bytesOf(kept)).toBeLessThan(1_100);
  });

  it('is bounded whatever one of them says', () => {
    expect(keptReasons([reason(0, 'ä'.repeat(10_000))], 1_000)).toEqual([
      { field: '', code: 'not_kept', message: 'and 1 more' },
    ]);
  });
});
