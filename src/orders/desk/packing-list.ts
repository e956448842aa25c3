export const PACKING_COLUMNS = [
  'order_number',
  'placed_at',
  'customer_name',
  'customer_phone',
  'address',
  'city',
  'state',
  'pincode',
  'country',
  'sku',
  'name',
  'variation',
  'quantity',
  'notes',
] as const;

/** A line of an order with where it goes, a cell for each column. */
export type PackingLine = Record<Exclude<(typeof PACKING_COLUMNS)[number], 'quantity'>, string> & {
  quantity: number;
};
