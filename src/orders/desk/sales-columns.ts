export const SALES_COLUMNS = [
  'client_id',
  'client',
  'order_number',
  'store_order_id',
  'status',
  'payment_status',
  'placed_at',
  'paid_at',
  'shipped_at',
  'delivered_at',
  'cancelled_at',
  'sku',
  'name',
  'variation',
  'quantity',
  'unit_price',
  'line_total',
  'delivery_share',
  'paid',
  'refunded',
  'currency',
  'payment_method',
  'payment_reference',
] as const;

/** A line of an order with what it brought, a cell for each column. */
export type SalesLine = Record<(typeof SALES_COLUMNS)[number], string | number>;

export const PERIODS = ['day', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];
