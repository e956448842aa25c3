import * as fc from 'fast-check';
import { isWithinEdits } from './similar-names.js';

/** The usual algorithm, to compare the fast one with. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}

const text = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), maxLength: 8 });

describe('isWithinEdits', () => {
  it('agrees with the edit distance', () => {
    fc.assert(
      fc.property(text, text, fc.nat(3), (a, b, edits) => {
        expect(isWithinEdits(a, b, edits)).toBe(distance(a, b) <= edits);
      }),
    );
  });

  it('handles long similar texts', () => {
    expect(isWithinEdits('A'.repeat(64), `${'A'.repeat(61)}BBB`, 2)).toBe(false);
    expect(isWithinEdits('AB'.repeat(32), 'BA'.repeat(32), 2)).toBe(true);
  });
});
