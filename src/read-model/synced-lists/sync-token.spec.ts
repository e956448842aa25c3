import * as fc from 'fast-check';
import {
  catalogOf,
  generationOf,
  isSignedBy,
  isUnknown,
  ordersOf,
  readSyncToken,
  STOCK_LIST,
  testOrdersOf,
  writeSyncToken,
} from './sync-token.js';

const IDENTITY = '0123456789abcdef0123456789abcdef';

const id = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const token = fc.record({
  generation: fc.stringMatching(/^[0-9a-f]{12}$/),
  list: fc.oneof(fc.constant(STOCK_LIST), id.map(catalogOf), id.map(ordersOf)),
  watermark: fc.nat(2 ** 47),
  highestVersion: fc.nat(2 ** 47),
});

describe('A sync token', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(token, (written) => {
        expect(readSyncToken(writeSyncToken(written, IDENTITY))).toEqual(written);
      }),
    );
  });

  it('is short and needs no escaping in a URL', () => {
    fc.assert(
      fc.property(token, (written) => {
        expect(writeSyncToken(written, IDENTITY)).toMatch(/^[\w-]{47}$/);
      }),
    );
  });

  it('is rejected when a character was changed, dropped or added', () => {
    fc.assert(
      fc.property(token, fc.nat(46), fc.constantFrom('A', 'z', '-', ''), (written, at, other) => {
        const text = writeSyncToken(written, IDENTITY);
        fc.pre(text[at] !== other);
        expect(readSyncToken(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
        expect(readSyncToken(`${text}${other || 'A'}`)).toBeUndefined();
      }),
    );
  });

  it.each(['', 'abc', '%00', 'x'.repeat(28), 'x'.repeat(36), 'x'.repeat(47), '1'.repeat(5_000)])(
    'is never %j',
    (text) => {
      expect(readSyncToken(text)).toBeUndefined();
    },
  );

  it('is signed with what no store knows of the history', () => {
    fc.assert(
      fc.property(token, (written) => {
        const signed = (identity: string) =>
          isSignedBy({ identity: IDENTITY }, writeSyncToken(written, identity));
        expect([signed(IDENTITY), signed(`${IDENTITY.slice(0, 12)}${'0'.repeat(20)}`)]).toEqual([
          true,
          false,
        ]);
      }),
    );
  });

  it('belongs to one list: the stock, the catalog of a plan, orders or test orders of a client', () => {
    fc.assert(
      fc.property(id, id, (plan, client) => {
        const lists = [STOCK_LIST, catalogOf(plan), ordersOf(client), testOrdersOf(client)];
        expect(new Set(lists).size).toBe(4);
      }),
    );
  });

  it('is rejected with another history or a future horizon', () => {
    const position = { identity: IDENTITY, visibleBelow: 900, highestVersion: 800 };
    const isUnseenAt = (watermark: number, generation = generationOf(position)) =>
      isUnknown({ generation, list: STOCK_LIST, watermark, highestVersion: 950 }, position);
    expect(isUnseenAt(900)).toBe(false);
    expect(isUnseenAt(901)).toBe(true);
    expect(isUnseenAt(900, 'ba9876543210')).toBe(true);
  });
});
