import { Order, OrderItem } from '../entities/order.entity.js';
import { columnOf } from '../../../platform/database/columns-of.js';
import { DELIVERY_NAMES } from '../rules/order-fields.js';

const item = (field: 'line' | 'quantity' | 'shipped' | 'cancelled') => `i.${columnOf(OrderItem, field)}`;

/** SQL: a hash of delivery and units of the order `o`, as a slip shows them. A change needs another slip. */
export const SLIP_CONTENT = `
  encode(sha256(convert_to(jsonb_build_array(
    ${DELIVERY_NAMES.map((name) => `o.${columnOf(Order, name)}`).join(', ')},
    -- Bounded by the lines of an order.
    (SELECT json_agg(json_build_array(${item('line')},
              ${item('quantity')} - ${item('shipped')} - ${item('cancelled')}) ORDER BY ${item('line')})
       FROM order_items i
      WHERE (i.client_id, i.order_number) = (o.client_id, o.order_number)))::text, 'UTF8')), 'hex')`;

/** SQL: the order `o` waits to be packed, and was changed after its slip or its label was printed. */
export const IS_SLIP_OLD = `
  CASE WHEN o.status = 'pending' AND o.printed_slips IS NOT NULL
       THEN ${SLIP_CONTENT} <> ANY (SELECT value FROM jsonb_each_text(o.printed_slips)) ELSE false END`;
