import type { Command } from 'commander';
import type { OrderShown } from '../../orders/view/order.mapper.js';
import type { Cli } from './cli.js';
import { answerWith, named, type NamedOrder, numberOf } from './named-order.js';
import { operator } from './operator.js';
import { readActor, readStart } from './option-values.js';
import type { Services } from './services.js';

interface Shipped {
  courier: string;
  trackingNumber?: string;
  trackingUrl?: string;
  shippedAt?: Date;
}

interface Addressed {
  phone?: string;
  address?: string;
  city?: string;
  state?: string;
  pincode?: string;
  country?: string;
}

type Work<Options> = (
  orders: Services['orders'],
  number: string,
  options: Options & { by: string },
) => Promise<OrderShown>;

/** What is done to one order. Each command shows what became of it. */
export function addOrderChanges(cli: Cli, order: Command): void {
  const change = (syntax: string, description: string) =>
    named(cli.command(order, syntax, description)).option(
      '--by <name>',
      'who does it, as the timeline will tell',
      readActor,
      operator(),
    );
  const doing =
    <Options>(work: Work<Options>) =>
    (name: string, options: Options & NamedOrder & { by: string }) =>
      cli.run(async (services) =>
        answerWith(await work(services.orders, await numberOf(services, name, options), options)),
      );

  change('pay', 'Notes that an order was paid, so that it can be shipped.')
    .option('--method <text>', 'how, such as wallet or bank transfer')
    .option('--reference <text>', 'the number of the payment')
    .action(
      doing<{ method?: string; reference?: string }>((orders, number, { by, method, reference }) =>
        orders.pay(number, by, { method, reference }),
      ),
    );

  change('ship', 'Notes that an order was shipped. Its goods leave the stock.')
    .requiredOption('--courier <name>', 'who carries it')
    .option('--tracking-number <number>', 'the number of the parcel')
    .option('--tracking-url <address>', 'where the customer can follow it')
    .option('--shipped-at <time>', 'when (now)', readStart)
    .action(
      doing<Shipped>((orders, number, { by, courier, trackingNumber, trackingUrl, shippedAt }) =>
        orders.ship(number, by, {
          courier: courier.trim(),
          trackingNumber: trackingNumber?.trim() || null,
          trackingUrl: trackingUrl?.trim() || null,
          shippedAt: shippedAt ?? null,
        }),
      ),
    );

  change('correct', 'Corrects what is known of a shipment. What is left out stays; what was before is kept.')
    .option('--courier <name>', 'who carries it')
    .option('--tracking-number <number>', 'the number of the parcel; an empty one takes it away')
    .option('--tracking-url <address>', 'where the customer can follow it; an empty one takes it away')
    .option('--shipped-at <time>', 'when', readStart)
    .action(
      doing<Partial<Shipped>>((orders, number, { by, courier, trackingNumber, trackingUrl, shippedAt }) =>
        orders.correct(number, by, {
          ...(courier !== undefined && { courier: courier.trim() }),
          ...(trackingNumber !== undefined && { trackingNumber: trackingNumber.trim() || null }),
          ...(trackingUrl !== undefined && { trackingUrl: trackingUrl.trim() || null }),
          ...(shippedAt !== undefined && { shippedAt }),
        }),
      ),
    );

  change(
    'address',
    'Changes where an order goes, until it is shipped. What is left out stays; what was before is kept.',
  )
    .option('--phone <number>', 'whom the courier calls')
    .option('--address <text>', 'the street address')
    .option('--city <name>', 'the city')
    .option('--state <name>', 'the state')
    .option('--pincode <code>', 'the postal code')
    .option('--country <name>', 'the country')
    .action(
      doing<Addressed>((orders, number, { by, phone, address, city, state, pincode, country }) =>
        orders.redirect(number, by, {
          customerPhone: phone,
          shippingAddress: address,
          shippingCity: city,
          shippingState: state,
          shippingPincode: pincode,
          shippingCountry: country,
        }),
      ),
    );

  change('deliver', 'Notes that an order has arrived.').action(
    doing<object>((orders, number, { by }) => orders.deliver(number, by)),
  );

  change(
    'cancel',
    'Cancels an order that was not shipped. Its goods are for sale again; a paid one is refunded.',
  )
    .option('--reason <text>', 'why, as the store will read it')
    .action(
      doing<{ reason?: string }>((orders, number, { by, reason }) => orders.cancel(number, by, reason)),
    );
}
