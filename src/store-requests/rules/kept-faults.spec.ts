import { keptFaults } from './kept-faults.js';

const NONE: ReadonlySet<string> = new Set();

describe('What is kept of a request that is at fault', () => {
  const body = { items: [{ sku: 'MUG-1' }, { sku: `wha_${'a'.repeat(40)}` }, { sku: 7 }, 'a mug'] };

  it('is which field, why, and which SKU its line named', () => {
    const fault = { field: 'items[0].sku', code: 'unknown_sku', message: 'is the SKU of no active product' };
    expect(keptFaults([fault], body, NONE, 1_000)).toEqual([{ ...fault, sku: 'MUG-1' }]);
  });

  it('is no SKU that is none', () => {
    const faults = [1, 2, 3, 4].map((line) => ({
      field: `items[${line}].sku`,
      code: 'unknown_sku',
      message: 'm',
    }));
    expect(keptFaults(faults, body, NONE, 1_000)).toEqual(faults);
    expect(keptFaults(faults, undefined, NONE, 1_000)).toEqual(faults);
  });

  it.each(['customer.email', 'shipping.pincode', 'notes', 'itemsOfTheCustomer', 'limit'])(
    'is no message of a field that is not known to be the store’s own: %s',
    (field) => {
      const message = 'ravi@example.com is none';
      expect(keptFaults([{ field, code: 'c', message }], body, NONE, 1_000)).toEqual([{ field, code: 'c' }]);
    },
  );

  it('is what was said of a parameter', () => {
    const fault = { field: 'limit', code: 'too_large', message: 'must be at most 100' };
    expect(keptFaults([fault], undefined, new Set(['limit']), 1_000)).toEqual([fault]);
  });

  it('is none of the further facts of a fault', () => {
    const fault = { field: 'items[0].quantity', code: 'insufficient_stock', message: 'm' };
    const told = { ...fault, note: 'ravi@example.com', valid_keys: ['Size:M'] };
    expect(keptFaults([told], undefined, NONE, 1_000)).toEqual([fault]);
  });
});
