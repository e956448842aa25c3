import { columnOf } from '../../../platform/database/columns-of.js';
import { OrderItem, Order } from '../entities/order.entity.js';

// Expressions for statements that have a row for each line of an order.

/** All lines with their orders and clients. */
export const ORDERS_LINES = `
  orders o
  JOIN clients c ON c.id = o.client_id
  JOIN order_items i ON i.client_id = o.client_id AND i.order_number = o.order_number`;

export const order = (field: keyof Order & string) => `o.${columnOf(Order, field)}`;
export const item = (field: keyof OrderItem & string) => `i.${columnOf(OrderItem, field)}`;
/** The key of the payment of an order in the wallet, or of the money that a person recorded for it. */
export const paymentKey = (kind: 'order' | 'for') =>
  `('${kind}:' || ${order('orderNumber')}
    || coalesce(':' || nullif(${order('paymentsUndone')}, 0) + 1, ''))`;

export const orEmpty = (column: string) => `coalesce(${column}, '')`;

export const VARIATION = `coalesce(nullif(${item('variationKey')}, ''), ${item('remark')}, '')`;
