/** The columns of the catalog file. */
export const CATALOG_COLUMNS = [
  'sku',
  'name',
  'description',
  'category',
  'images',
  'base_price',
  'delivery_charge',
  'active',
  'variations',
] as const;
