import { type Variation, variationKeys } from '../read-model/products/variations.js';

export type DemoProduct = {
  sku: string;
  name: string;
  description: string;
  category: string;
  images: string[];
  basePrice: string;
  deliveryCharge: string;
  active: boolean;
  variations: Variation[];
  /** On hand by variation key; a product without variations has the one key `''`. */
  stock: Record<string, number>;
};

type DemoEntry = Pick<DemoProduct, 'sku' | 'name' | 'description' | 'basePrice' | 'deliveryCharge'> & {
  active?: boolean;
  photos: number;
  variations?: Variation[];
  /** In the order of the product's variation keys, the last variation changing fastest. */
  stock: number[];
};

/** Completes the entries of one category: a price list is easier to read and to check without what follows from it. */
export function demoCategory(category: string, entries: DemoEntry[]): DemoProduct[] {
  return entries.map(({ photos, stock, variations = [], active = true, ...entry }) => ({
    ...entry,
    category,
    images: imageUrls(entry.sku, photos),
    active,
    variations,
    stock: stockByKey(entry.sku, variations, stock),
  }));
}

function imageUrls(sku: string, photos: number): string[] {
  return Array.from(
    { length: photos },
    (_, index) => `https://images.example.com/products/${sku.toLowerCase()}-${index + 1}.jpg`,
  );
}

function stockByKey(sku: string, variations: Variation[], quantities: number[]): Record<string, number> {
  const keys = variationKeys(variations);
  if (keys.length !== quantities.length) {
    throw new Error(`${sku} has ${keys.length} variation keys but ${quantities.length} quantities.`);
  }
  return Object.fromEntries(keys.map((key, index) => [key, quantities[index] ?? 0]));
}
