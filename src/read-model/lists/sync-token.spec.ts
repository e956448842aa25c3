import * as fc from 'fast-check';
import { epochOf, readSyncToken, writeSyncToken } from './sync-token.js';

const token = fc.record({
  epoch: fc.stringMatching(/^[0-9a-f]{12}$/),
  binding: fc.nat(2 ** 31 - 1),
  horizon: fc.nat(2 ** 47),
});

describe('a sync token', () => {
  it('is read as what was written', () => {
    fc.assert(
      fc.property(token, (written) => {
        expect(readSyncToken(writeSyncToken(written))).toEqual(written);
      }),
    );
  });

  it('is short and needs no escaping in an address', () => {
    fc.assert(
      fc.property(token, (written) => {
        expect(writeSyncToken(written)).toMatch(/^[\w-]{28}$/);
      }),
    );
  });

  it('is refused when one character of it was changed, dropped or added', () => {
    fc.assert(
      fc.property(token, fc.nat(27), fc.constantFrom('A', 'z', '-', ''), (written, at, other) => {
        const text = writeSyncToken(written);
        fc.pre(text[at] !== other);
        expect(readSyncToken(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
        expect(readSyncToken(`${text}${other || 'A'}`)).toBeUndefined();
      }),
    );
  });

  it.each(['', 'abc', '%00', 'x'.repeat(28), '1'.repeat(5_000)])('is not %j', (text) => {
    expect(readSyncToken(text)).toBeUndefined();
  });

  it('carries the beginning of the identity', () => {
    expect(epochOf('0123456789abcdef0123456789abcdef')).toBe('0123456789ab');
  });
});
