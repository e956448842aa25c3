/** What a product may hold. */
export const CATALOG_LIMITS = {
  sku: 64,
  name: 200,
  description: 5_000,
  category: 100,
  images: 20,
  imageAddress: 2_000,
} as const;
