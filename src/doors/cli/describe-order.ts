import type { OrderShown } from '../../orders/view/order.mapper.js';
import { table } from './table.js';

/** An order on one screen. */
export function describeOrder(order: OrderShown): string {
  const { customer, shipping, payment, tracking } = order;
  const facts: [string, string | null][] = [
    ['Order', `${order.order_number} of ${order.client} (client ${order.client_id})`],
    ["The store's id", order.store_order_id],
    ['Status', `${order.status}, ${order.payment_status}`],
    ['Cancelled because', order.cancel_reason],
    ['Paid', listed(payment.paid_at, payment.method, payment.reference)],
    ['Customer', listed(customer.name, customer.phone, customer.email)],
    ['Ship to', listed(shipping.address, shipping.city, shipping.state, shipping.pincode, shipping.country)],
    ['Notes', order.notes],
    [
      'Shipped',
      tracking &&
        listed(tracking.shipped_at, tracking.courier, tracking.tracking_number, tracking.tracking_url),
    ],
    ['Total', `${order.total} ${order.currency} (goods ${order.subtotal}, delivery ${order.delivery})`],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== '');
  const lines = known
    .map(([name, value]) => `${name}: ${String(value).replace(/[\t\r\n]+/g, ' ')}\n`)
    .join('');
  const items = table(order.items, ['sku', 'name', 'variation', 'quantity', 'unit_price', 'line_total']);
  const timeline = table(inTimeline(order), ['status', 'changed_at', 'actor', 'note']);
  return `${lines}\n${items}\n${timeline}`;
}

/** What was corrected stands between the statuses, at its time, with what it was before. */
function inTimeline({ timeline, changes }: OrderShown) {
  const corrected = changes.map(({ changed_at, actor, before, after }) => ({
    status: '(corrected)',
    changed_at,
    actor,
    note: Object.keys(after)
      .map((field) => `${field.replaceAll('_', ' ')}: ${before[field] ?? '-'} → ${after[field] ?? '-'}`)
      .join('; '),
  }));
  return [...timeline, ...corrected].toSorted((a, b) => a.changed_at.localeCompare(b.changed_at));
}

function listed(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(', ');
}
