import * as fc from 'fast-check';
import { Fingerprint } from './fingerprint.js';

type Row = [relation: number, id: number, stamp: number];

const row = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(2 ** 31 - 1), fc.nat(2 ** 52));

function fingerprintOf(rows: Row[]): string {
  const fingerprint = new Fingerprint();
  for (const each of rows) fingerprint.addRow(...each);
  return String(fingerprint);
}

describe('Fingerprint', () => {
  it('does not depend on the order of rows', () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        expect(fingerprintOf(rows.toReversed())).toBe(fingerprintOf(rows));
      }),
    );
  });

  it('forgets a subtracted set', () => {
    fc.assert(
      fc.property(fc.array(row), row, (rows, gone) => {
        const [fingerprint, other] = [new Fingerprint(), new Fingerprint()];
        for (const each of [gone, ...rows]) fingerprint.addRow(...each);
        other.addRow(...gone);
        fingerprint.subtract(other);
        expect(String(fingerprint)).toBe(fingerprintOf(rows));
      }),
    );
  });

  it('distinguishes stamps that differ only above 32 bits', () => {
    expect(fingerprintOf([[1, 7, 5]])).not.toBe(fingerprintOf([[1, 7, 5 + 2 ** 32]]));
  });

  it('changes with any one of many stamps', () => {
    const rows = Array.from({ length: 200 }, (_, id): Row => [1, id, 1_000]);
    const fingerprints = new Set(
      rows.map((_, changed) => fingerprintOf(rows.with(changed, [1, changed, 1_001]))),
    );
    expect(fingerprints.size).toBe(rows.length);
  });
});
