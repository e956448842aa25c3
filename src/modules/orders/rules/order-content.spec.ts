import { contentHash } from './order-content.js';

const CUSTOMER = { name: 'Ravi', phone: '98765 43210', email: 'ravi@example.com' };
const SHIPPING = { address: '12 MG Road', city: 'Bengaluru', state: 'Karnataka', pincode: '560038' };
const ITEMS = [
  { sku: 'MUG', quantity: 2, variation: 'blue' },
  { sku: 'CUP', quantity: 1 },
];
const ORDER = { customer: CUSTOMER, shipping: SHIPPING, items: ITEMS, notes: 'Ring twice' };

const hashOf = (order: Parameters<typeof contentHash>[0]) => contentHash(order).toString('hex');

describe('contentHash', () => {
  it('keeps the values of stored orders: otherwise repeated orders would look changed', () => {
    expect(hashOf(ORDER)).toBe('33be0d7f2f240cb21da7404effe8f831c173fb5c4535321c5a6998ce508dae23');
    expect(hashOf({ items: [{ sku: 'CUP', quantity: 1 }] })).toBe(
      '0c5be9222d5f7a3355f3218c53f7a9c83188d98d86a5d587eed4ac410f864154',
    );
  });

  it('does not depend on the order of fields', () => {
    const { notes, items, shipping, customer } = structuredClone(ORDER);
    expect(hashOf({ notes, items, shipping, customer })).toBe(hashOf(ORDER));
  });

  it('is the same with and without the default country', () => {
    expect(hashOf({ ...ORDER, shipping: { ...SHIPPING, country: 'India' } })).toBe(hashOf(ORDER));
  });

  it('differs for every field', () => {
    const others = [
      ...Object.keys(CUSTOMER).map((field) => ({ ...ORDER, customer: { ...CUSTOMER, [field]: 'other' } })),
      ...Object.keys(SHIPPING).map((field) => ({ ...ORDER, shipping: { ...SHIPPING, [field]: 'other' } })),
      { ...ORDER, customer: { name: 'Ravi', phone: '98765 43210' } },
      { ...ORDER, customer: undefined },
      { ...ORDER, shipping: undefined },
      { ...ORDER, shipping: { ...SHIPPING, country: 'Nepal' } },
      { ...ORDER, notes: 'Ring once' },
      { ...ORDER, notes: undefined },
      { ...ORDER, items: ITEMS.toReversed() },
      { ...ORDER, items: ITEMS.slice(0, 1) },
      { ...ORDER, items: [{ ...ITEMS[0]!, sku: 'POT' }, ITEMS[1]!] },
      { ...ORDER, items: [{ ...ITEMS[0]!, quantity: 3 }, ITEMS[1]!] },
      { ...ORDER, items: [{ ...ITEMS[0]!, variation: 'red' }, ITEMS[1]!] },
    ];
    expect(new Set([ORDER, ...others].map(hashOf)).size).toBe(others.length + 1);
  });
});
