/** The columns of the file, which the table calls the same. */
export const EXPORT_COLUMNS = [
  'order_number',
  'store_order_id',
  'status',
  'payment_status',
  'placed_at',
  'payment_due_at',
  'paid_at',
  'payment_method',
  'shipped_at',
  'delivered_at',
  'cancelled_at',
  'cancel_reason',
  'customer_name',
  'customer_phone',
  'customer_email',
  'shipping_address',
  'shipping_city',
  'shipping_state',
  'shipping_pincode',
  'shipping_country',
  'notes',
  'items_count',
  'subtotal',
  'delivery',
  'total',
  'currency',
  'courier',
  'tracking_number',
  'tracking_url',
] as const;

type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** An order as a row of a file; nothing in it is an empty cell. */
export type ExportedOrder = Record<ExportColumn, string | number>;

/** With what tells its place in the list. */
export type ExportRow = Record<ExportColumn, string | number | Date | null> & {
  order_number: string;
  placedAtMicros: string;
};

/** The columns of an ExportRow of `orders o`. */
export const EXPORTED = `${EXPORT_COLUMNS.map((column) => `o.${column}`).join(', ')},
  (extract(epoch FROM o.placed_at) * 1000000)::bigint AS "placedAtMicros"`;

export function toExportedOrder(row: ExportRow): ExportedOrder {
  const cells = EXPORT_COLUMNS.map((column) => [column, cellOf(row[column])]);
  return Object.fromEntries(cells) as ExportedOrder;
}

function cellOf(value: string | number | Date | null): string | number {
  return value instanceof Date ? value.toISOString() : (value ?? '');
}
