import {
  orderField,
  ORDER_FIELD_NAMES,
  type OrderFieldName,
} from '../../../modules/orders/rules/order-fields.js';
import type { OrderOrigin } from '../../../modules/orders/entities/order.entity.js';
import type { FiledOrder, ItemRecord } from '../../../modules/orders/records/order-record.js';
import { plainTime, type TimeZone } from '../../../platform/time/time.js';
import { cancelReasonText, stateOf } from '../../shared/order-cards.js';

type CellReaders<Of> = Readonly<Record<string, (of: Of) => string | number | Date | null>>;

const headingOf = (name: OrderFieldName) => orderField(name).heading ?? orderField(name).label;

const ORIGINS: Record<OrderOrigin, string> = { api: 'Store', dashboard: 'Dashboard', desk: 'Desk' };

const ORDER: CellReaders<FiledOrder> = {
  Order: ({ orderNumber }) => orderNumber,
  'Your id': ({ storeOrderId }) => storeOrderId,
  Status: (order) => stateOf(order).name,
  Placed: ({ placedAt }) => placedAt,
  'Placed in': ({ origin }) => ORIGINS[origin],
  'Pay by': ({ paymentDueAt }) => paymentDueAt,
  Paid: ({ paidAt }) => paidAt,
  'Paid by': ({ paymentMethod }) => paymentMethod,
  Shipped: ({ shippedAt }) => shippedAt,
  Delivered: ({ deliveredAt }) => deliveredAt,
  Cancelled: ({ cancelledAt }) => cancelledAt,
  'Cancelled because': ({ cancelReason }) => cancelReason && cancelReasonText(cancelReason),
  'Time zone': () => null,
  ...Object.fromEntries(
    ORDER_FIELD_NAMES.map((name) => [headingOf(name), (order: FiledOrder) => order[name]]),
  ),
  Metadata: ({ metadata }) => metadata && JSON.stringify(metadata),
  Courier: ({ courier }) => courier,
  Tracking: ({ trackingNumber }) => trackingNumber,
  'Tracking page': ({ trackingUrl }) => trackingUrl,
  Items: ({ itemsCount }) => itemsCount,
};

/** In a file with a row per line, only the first row of an order has totals, so that columns add up. */
const TOTALS: CellReaders<FiledOrder> = {
  Goods: ({ subtotal }) => subtotal,
  Delivery: ({ delivery }) => delivery,
  Total: ({ total }) => total,
  Refunded: ({ refundedAmount }) => refundedAmount,
};

const LINE: CellReaders<ItemRecord> = {
  SKU: ({ sku }) => sku,
  Product: ({ name }) => name,
  Variation: ({ variationKey, remark }) => variationKey || remark,
  Quantity: ({ quantity }) => quantity,
  Price: ({ unitPrice }) => unitPrice,
  Amount: ({ lineTotal }) => lineTotal,
  'Line metadata': ({ metadata }) => metadata && JSON.stringify(metadata),
};

const namesOf = (...parts: CellReaders<never>[]) => parts.flatMap((part) => Object.keys(part));

/** The headings match the labels of the pages. */
export const ORDERS_FILE_COLUMNS = [...namesOf(ORDER, TOTALS), 'Currency', 'Domain'];
export const LINES_FILE_COLUMNS = [...namesOf(ORDER, LINE, TOTALS), 'Currency', 'Domain'];

type OrderFileRow = Record<string, string | number>;

export async function* orderRows(
  orders: AsyncIterable<FiledOrder>,
  zone: TimeZone,
): AsyncGenerator<OrderFileRow> {
  for await (const order of orders) {
    const row = orderCells(order, zone);
    fill(row, TOTALS, order, zone);
    yield row;
  }
}

/** A row for each line of each order. */
export async function* lineRows(
  orders: AsyncIterable<FiledOrder & { items: ItemRecord[] }>,
  zone: TimeZone,
): AsyncGenerator<OrderFileRow> {
  for await (const order of orders) {
    const cells = orderCells(order, zone);
    for (const [at, line] of order.items.entries()) {
      const row = { ...cells };
      fill(row, LINE, line, zone);
      if (at === 0) fill(row, TOTALS, order, zone);
      else Object.assign(row, NO_TOTALS);
      yield row;
    }
  }
}

const NO_TOTALS: OrderFileRow = Object.fromEntries(Object.keys(TOTALS).map((name) => [name, '']));

function orderCells(order: FiledOrder, zone: TimeZone): OrderFileRow {
  const row: OrderFileRow = {};
  fill(row, ORDER, order, zone);
  row['Time zone'] = zone;
  row.Currency = order.currency;
  row.Domain = order.domain ?? '';
  return row;
}

/** A missing value becomes an empty cell. A file may have a million rows: no list is made for one of them. */
function fill<Of>(row: OrderFileRow, cells: CellReaders<Of>, of: Of, zone: TimeZone): void {
  for (const name in cells) {
    const value = cells[name]!(of);
    row[name] = value instanceof Date ? plainTime(value, zone) : (value ?? '');
  }
}
