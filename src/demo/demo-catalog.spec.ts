import { foldSpelling } from '../read-model/products/fold-spelling.js';
import { validateVariations } from '../catalog/rules/validate-variations.js';
import { variationKeys } from '../read-model/products/variations.js';
import { parseMoney } from '../platform/money/money.js';
import { demoCatalog } from './demo-catalog.js';
import { demoCategory } from './demo-product.js';
import { syntheticProducts } from './synthetic-catalog.js';

describe.each([
  ['the demo catalog', demoCatalog],
  ['a synthetic catalog', [...syntheticProducts(200)]],
  ['a synthetic catalog without variations', [...syntheticProducts(200, { variations: 0 })]],
])('%s', (_, products) => {
  it('has each SKU once, fit for a path', () => {
    expect(new Set(products.map((product) => foldSpelling(product.sku))).size).toBe(products.length);
    expect(products.filter((product) => !/^[A-Z0-9-]{1,64}$/.test(product.sku))).toEqual([]);
  });

  it('has prices, texts and variations that an import would accept', () => {
    for (const product of products) {
      expect(parseMoney(product.basePrice)).toHaveProperty('minor');
      expect(parseMoney(product.deliveryCharge)).toHaveProperty('minor');
      expect(validateVariations(product.variations)).toEqual([]);
      expect(product.name.length).toBeLessThanOrEqual(200);
      expect(product.description).toMatch(/\.$/);
      expect(product.images.every((url) => URL.canParse(url))).toBe(true);
    }
  });

  it('counts stock for exactly the keys of each product', () => {
    for (const product of products) {
      expect(Object.keys(product.stock).toSorted()).toEqual(variationKeys(product.variations).toSorted());
      expect(Object.values(product.stock).every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    }
  });
});

describe('the demo catalog', () => {
  it('shows every kind of product there is', () => {
    expect(demoCatalog.some((product) => !product.active)).toBe(true);
    expect(demoCatalog.some((product) => product.variations.length === 0)).toBe(true);
    expect(demoCatalog.some((product) => product.variations.length === 2)).toBe(true);
    expect(demoCatalog.some((product) => Object.values(product.stock).every((count) => count === 0))).toBe(
      true,
    );
  });
});

describe('demoCategory', () => {
  it('refuses an entry whose quantities do not fit its variations', () => {
    const entry = { sku: 'X', name: 'X', description: 'X.', basePrice: '1', deliveryCharge: '0', photos: 0 };
    expect(() => demoCategory('Odds', [{ ...entry, stock: [1, 2] }])).toThrow(
      'X has 1 variation keys but 2 quantities.',
    );
  });
});

describe('syntheticProducts', () => {
  it('makes the same products every time, whatever their number', () => {
    expect([...syntheticProducts(20)].slice(0, 10)).toEqual([...syntheticProducts(10)]);
  });

  it('gives each product three variations, or none where asked', () => {
    const [varied] = syntheticProducts(1);
    const [plain] = syntheticProducts(1, { variations: 0 });
    expect(Object.keys(varied?.stock ?? {})).toEqual(['Size:S', 'Size:M', 'Size:L']);
    expect(Object.keys(plain?.stock ?? {})).toEqual(['']);
  });
});
