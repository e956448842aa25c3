import { deliveryOf } from '../../orders/lifecycle/order-corrections.service.js';
import type { OrderShown } from '../../orders/view/order.mapper.js';
import { plainTime, type TimeZone } from '../../platform/time/time.js';
import { type Answer, table } from './answer.js';
import { type By, type CliCommand, CLIENT_NAME, clientIdOf, readStart } from './command.js';
import type { Services } from './services.js';

export interface NamedOrder {
  client?: string;
}

interface Shipped {
  courier?: string;
  trackingNumber?: string;
  trackingUrl?: string;
  shippedAt?: Date;
}

interface Addressed {
  name?: string;
  reason?: string;
  phone?: string;
  address?: string;
  city?: string;
  state?: string;
  pincode?: string;
  country?: string;
}

type Change<Options> = (
  orders: Services['orders'],
  number: string,
  options: Options & By,
) => Promise<OrderShown>;

/** Commands that change one order and print it. */
export function addOrderChanges(order: CliCommand): void {
  const change = (name: string, description: string) => named(order.add(name, description)).by();

  change('pay', 'Records the payment of an order, so that it can be shipped.')
    .option('--method <text>', 'how, such as wallet or bank transfer')
    .option('--reference <text>', 'the number of the payment')
    .does(
      changing<{ method?: string; reference?: string }>((orders, number, { by, method, reference }) =>
        orders.pay(number, by, { method, reference }),
      ),
    );

  ofShipment(change('ship', 'Records the shipment of an order. Its goods leave the stock.'))
    .requiredOption('--courier <name>', 'the courier', trimmed)
    .does(
      changing<Shipped & { courier: string }>((orders, number, { by, courier, ...given }) => {
        const { trackingNumber = '', trackingUrl = '', shippedAt = null } = given;
        const tracking = { trackingNumber: trackingNumber || null, trackingUrl: trackingUrl || null };
        return orders.ship(number, by, { courier, ...tracking, shippedAt });
      }),
    );

  ofShipment(change('correct', 'Corrects a shipment. Other values stay; the timeline keeps the old ones.'))
    .option('--courier <name>', 'the courier', trimmed)
    .does(
      changing<Shipped>((orders, number, { by, courier, trackingNumber, trackingUrl, shippedAt }) => {
        return orders.correct(number, by, {
          ...(courier !== undefined && { courier }),
          ...(trackingNumber !== undefined && { trackingNumber: trackingNumber || null }),
          ...(trackingUrl !== undefined && { trackingUrl: trackingUrl || null }),
          ...(shippedAt !== undefined && { shippedAt }),
        });
      }),
    );

  change(
    'address',
    'Changes the recipient or the address of an unshipped order. The timeline keeps the old values.',
  )
    .option('--name <name>', 'the name of the recipient; needs --reason')
    .option('--phone <number>', 'the phone number for the courier')
    .option('--address <text>', 'the street address')
    .option('--city <name>', 'the city')
    .option('--state <name>', 'the state')
    .option('--pincode <code>', 'the postal code')
    .option('--country <name>', 'the country')
    .option('--reason <text>', 'the reason, kept with the correction and in the audit log')
    .does(
      changing<Addressed>((orders, number, { by, reason, ...given }) => {
        const { name, phone, address, city, state, pincode, country } = given;
        const delivery = deliveryOf({ name, phone, address, city, state, pincode, country });
        return orders.redirect(number, by, delivery, reason);
      }, printedBefore),
    );

  change('deliver', 'Records the delivery of an order.').does(
    changing<object>((orders, number, { by }) => orders.deliver(number, by)),
  );

  change('cancel', 'Cancels an unshipped order. Its goods are for sale again; a paid order is refunded.')
    .option('--reason <text>', 'the reason, which the store can read')
    .does(
      changing<{ reason?: string }>((orders, number, { by, reason }) => orders.cancel(number, by, reason)),
    );
}

const trimmed = (text: string) => text.trim();

function ofShipment(command: CliCommand): CliCommand {
  return command
    .option('--tracking-number <number>', 'the number of the parcel; an empty text is none', trimmed)
    .option('--tracking-url <address>', 'the tracking page for the customer; an empty text is none', trimmed)
    .option('--shipped-at <time>', 'when (now, for a new shipment)', readStart);
}

export function named(command: CliCommand, syntax = '<number>'): CliCommand {
  return command
    .argument(syntax, "the order number, in any spelling, or the store's own id")
    .option('--client <client>', `the client of the order, if two have its id: ${CLIENT_NAME}`);
}

export async function numberOf(services: Services, name: string, { client }: NamedOrder): Promise<string> {
  return services.orders.numberOf(name, await clientIdOf(services, client));
}

export function answerWith(order: OrderShown, warning = ''): Answer {
  return { json: order, text: (zone) => warning + describeOrder(order, zone) };
}

/** Changes an order and prints it, after a warning if there is one. */
function changing<Options>(change: Change<Options>, warningOf: (order: OrderShown) => string = () => '') {
  return async (services: Services, name: string, options: Options & NamedOrder & By) => {
    const order = await change(services.orders, await numberOf(services, name, options), options);
    return answerWith(order, warningOf(order));
  };
}

/** Paper that was printed has the old address. */
function printedBefore({ packing_list: list }: OrderShown): string {
  if (list === null) return '';
  const again = `packing show ${list} --pdf <file.pdf>`;
  return `The order is on packing list ${list}. Print its slip again: ${again}\n\n`;
}

/** An order on one screen. */
function describeOrder(order: OrderShown, timeZone: TimeZone): string {
  const time = (iso: string | null) => iso && plainTime(new Date(iso), timeZone);
  const { customer, shipping, payment, tracking } = order;
  const facts: [string, string | null][] = [
    ['Order', `${order.order_number} of ${order.client} (client ${order.client_id})`],
    ["The store's id", order.store_order_id],
    ['Status', `${order.status}, ${order.payment_status}`],
    ['Cancelled because', order.cancel_reason],
    ['Paid', listed(time(payment.paid_at), payment.method, payment.reference)],
    ['Customer', listed(customer.name, customer.phone, customer.email)],
    ['Ship to', listed(shipping.address, shipping.city, shipping.state, shipping.pincode, shipping.country)],
    ['Notes', order.notes],
    ['Packing list', order.packing_list === null ? null : String(order.packing_list)],
    [
      'Shipped',
      tracking &&
        listed(time(tracking.shipped_at), tracking.courier, tracking.tracking_number, tracking.tracking_url),
    ],
    ['Total', `${order.total} ${order.currency} (goods ${order.subtotal}, delivery ${order.delivery})`],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== '');
  const lines = known
    .map(([name, value]) => `${name}: ${String(value).replace(/[\t\r\n]+/g, ' ')}\n`)
    .join('');
  const items = table(order.items, ['sku', 'name', 'variation', 'quantity', 'unit_price', 'line_total']);
  const timeline = table(inTimeline(order), ['status', 'changed_at', 'actor', 'note'], timeZone);
  return `${lines}\n${items}\n${timeline}`;
}

/** Corrections stand between the statuses, with the old and the new values. */
function inTimeline({ timeline, changes }: OrderShown) {
  const corrected = changes.map(({ changed_at, actor, before, after, reason }) => ({
    status: '(corrected)',
    changed_at,
    actor,
    note: Object.keys(after)
      .map((field) => `${field.replaceAll('_', ' ')}: ${before[field] ?? '-'} → ${after[field] ?? '-'}`)
      .concat(reason === null ? [] : [`because: ${reason}`])
      .join('; '),
  }));
  return [...timeline, ...corrected]
    .map(({ changed_at, ...entry }) => ({ ...entry, changed_at: new Date(changed_at) }))
    .toSorted((a, b) => a.changed_at.getTime() - b.changed_at.getTime());
}

function listed(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(', ');
}
