import { readRequestedItems, keptFaults, ownText } from './kept-parts.js';

const NONE: ReadonlySet<string> = new Set();

describe('The stored faults of a request', () => {
  const body = { items: [{ sku: 'MUG-1' }, { sku: `wha_${'a'.repeat(40)}` }, { sku: 7 }, 'a mug'] };

  it('contain field, reason and the SKU of the line', () => {
    const message = 'is not the SKU of an active product';
    const fault = { field: 'items[0].sku', code: 'unknown_sku', message };
    expect(keptFaults([fault], body, NONE, 1_000)).toEqual([{ ...fault, sku: 'MUG-1' }]);
  });

  it('contain no invalid SKU', () => {
    const faults = [1, 2, 3, 4].map((line) => ({
      field: `items[${line}].sku`,
      code: 'unknown_sku',
      message: 'm',
    }));
    expect(keptFaults(faults, body, NONE, 1_000)).toEqual(faults);
    expect(keptFaults(faults, undefined, NONE, 1_000)).toEqual(faults);
  });

  it.each(['customer.email', 'shipping.pincode', 'notes', 'itemsOfBuyer', 'linesOfBuyer', 'limit'])(
    'contain no message for a field that may hold personal data: %s',
    (field) => {
      const message = 'ravi@example.com is none';
      expect(keptFaults([{ field, code: 'c', message }], body, NONE, 1_000)).toEqual([{ field, code: 'c' }]);
    },
  );

  it.each(['limit', 'lines', 'lines[0].quantity'])('contain the message for the parameter %s', (field) => {
    const fault = { field, code: 'too_large', message: 'must be at most 100' };
    expect(keptFaults([fault], undefined, new Set(['limit']), 1_000)).toEqual([fault]);
  });

  it('contain the requested and the available quantity, and no other details', () => {
    const fault = {
      field: 'items[0].quantity',
      code: 'insufficient_stock',
      message: 'm',
      requested: 5,
      available: 2,
    };
    const detailed = { ...fault, note: 'ravi@example.com', valid_keys: ['Size:M'] };
    expect(keptFaults([detailed], undefined, NONE)).toEqual([fault]);
    expect(keptFaults([{ ...detailed, requested: 'ravi@example.com' }], undefined, NONE)).toEqual([
      { ...fault, requested: undefined },
    ]);
  });

  const many = Array.from({ length: 100 }, (_, n) => ({
    field: `items[${n}].sku`,
    code: 'required',
    message: 'is required',
  }));

  it('are cut to the size limit, with the number of the others', () => {
    expect(keptFaults(many.slice(0, 5), undefined, NONE)).toEqual(many.slice(0, 5));
    const kept = keptFaults(many, undefined, NONE, 1_000);
    expect(kept.at(-1)).toEqual({ field: '', code: 'not_kept', message: `and ${101 - kept.length} more` });
    expect(kept.length).toBeGreaterThan(10);
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(1_100);
  });

  it('stay small with a very long message', () => {
    expect(keptFaults([{ ...many[0]!, message: 'ä'.repeat(10_000) }], undefined, NONE)).toEqual([
      { field: '', code: 'not_kept', message: 'and 1 more' },
    ]);
  });
});

describe('The stored items of a refused order', () => {
  it('have SKU and quantity, or null when these cannot be read', () => {
    const items = [
      { sku: 'MUG', quantity: 2, note: 'for Ravi' },
      { sku: `wha_${'a'.repeat(40)}`, quantity: '2' },
      7,
    ];
    expect(readRequestedItems({ items })).toEqual([
      { sku: 'MUG', quantity: 2 },
      { sku: null, quantity: null },
      { sku: null, quantity: null },
    ]);
  });

  it('are the first twenty', () => {
    const items = Array.from({ length: 21 }, (_, n) => ({ sku: `MUG-${n}`, quantity: n }));
    expect(readRequestedItems({ items })).toEqual(items.slice(0, 20));
  });

  it.each([undefined, [], { items: 'MUG' }])('are empty for %j', (body) => {
    expect(readRequestedItems(body)).toEqual([]);
  });
});

describe('ownText', () => {
  it.each(['WEB-1001', 'बिक्री-5', '🛒'.repeat(64), ''])('keeps %j', (text) => {
    expect(ownText(text)).toBe(text);
  });

  it.each([
    undefined,
    null,
    7,
    {},
    ['a'],
    '🛒'.repeat(65),
    'a\u0000b',
    `x wha_${'a'.repeat(40)}`,
    `wha_read_${'a'.repeat(40)}`,
  ])('drops %j', (value) => {
    expect(ownText(value)).toBeNull();
  });
});
