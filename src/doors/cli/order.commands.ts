import { type Command, Option } from 'commander';
import type { OrderFilter, RefusedOrderShown } from '../../orders/desk/order-desk.repository.js';
import type { OrderShown } from '../../orders/desk/order-shown.js';
import { ORDER_STATUSES, type OrderStatus } from '../../orders/rules/order-transitions.js';
import { PACKING_COLUMNS, type PackingLine } from '../../orders/desk/packing-list.js';
import type { Cli } from './cli.js';
import { addOutputOptions, exportRows, type OutputOptions } from './export-command.js';
import { describeOrder } from './describe-order.js';
import { readActor, readId, readStart } from './option-values.js';
import { operator } from './operator.js';
import { longTable } from './table.js';
import { jsonArray } from './write-out.js';

interface FilterOptions {
  status?: OrderStatus;
  client?: number;
  since?: Date;
}

interface ShipOptions {
  courier: string;
  trackingNumber?: string;
  trackingUrl?: string;
  shippedAt?: Date;
  by: string;
}

export function addOrderCommands(cli: Cli): void {
  const order = cli.group('order', 'orders of all clients');
  addLookUps(cli, order);
  addChanges(cli, order);
}

function addLookUps(cli: Cli, order: Command): void {
  withFilter(cli.command(order, 'list', 'Lists orders, the newest first.').addOption(statusOption())).action(
    (options: FilterOptions) =>
      cli.run(async ({ orders }) => {
        const rows = await orders.list(filterOf(options));
        const columns = [
          'order_number',
          'client_id',
          'client',
          'status',
          'payment_status',
          'total',
          'items_count',
          'placed_at',
        ] as const;
        return { json: jsonArray(rows), text: longTable(rows, columns, 'No orders.') };
      }),
  );

  cli
    .command(order, 'show', 'Shows an order with its lines and its timeline.')
    .argument('<number>', 'the order number, in any spelling')
    .action((number: string) => cli.run(async ({ orders }) => answerWith(await orders.show(number))));

  withFilter(
    addOutputOptions(
      cli
        .command(order, 'export', 'Writes the packing list: a row for each line, with the address.')
        .addOption(statusOption().default('pending')),
    ),
  ).action((options: FilterOptions & OutputOptions) =>
    cli.run(async ({ orders }) => {
      const lines = await orders.packingList(filterOf(options));
      return exportRows<PackingLine>(PACKING_COLUMNS, lines, options);
    }),
  );

  withFilter(
    cli.command(order, 'refused', 'Lists the orders that were refused in the last 30 days, and why.'),
  ).action((options: FilterOptions) =>
    cli.run(async ({ orders }) => {
      const rows = await orders.refused(filterOf(options));
      const columns = ['refused_at', 'client_id', 'client', 'store_order_id', 'code', 'why'] as const;
      return { json: jsonArray(rows), text: longTable(inOneRow(rows), columns, 'No refused orders.') };
    }),
  );
}

function addChanges(cli: Cli, order: Command): void {
  const change = (syntax: string, description: string) =>
    cli
      .command(order, syntax, description)
      .argument('<number>', 'the order number, in any spelling')
      .option('--by <name>', 'who does it, as the timeline will tell', readActor, operator());

  change('pay', 'Notes that an order was paid, so that it can be shipped.')
    .option('--method <text>', 'how, such as wallet or bank transfer')
    .option('--reference <text>', 'the number of the payment')
    .action((number: string, { by, ...payment }: { by: string; method?: string; reference?: string }) =>
      cli.run(async ({ orders }) => answerWith(await orders.pay(number, by, payment))),
    );

  change('ship', 'Notes that an order was shipped. Its goods leave the stock.')
    .requiredOption('--courier <name>', 'who carries it')
    .option('--tracking-number <number>', 'the number of the parcel')
    .option('--tracking-url <address>', 'where the customer can follow it')
    .option('--shipped-at <time>', 'when (now)', readStart)
    .action((number: string, { by, courier, trackingNumber, trackingUrl, shippedAt }: ShipOptions) =>
      cli.run(async ({ orders }) => {
        const shipment = {
          courier: courier.trim(),
          trackingNumber: trackingNumber?.trim() || null,
          trackingUrl: trackingUrl?.trim() || null,
          shippedAt: shippedAt ?? null,
        };
        return answerWith(await orders.ship(number, by, shipment));
      }),
    );

  change('deliver', 'Notes that an order has arrived.').action((number: string, { by }: { by: string }) =>
    cli.run(async ({ orders }) => answerWith(await orders.deliver(number, by))),
  );

  change(
    'cancel',
    'Cancels an order that was not shipped. Its goods are for sale again; a paid one is refunded.',
  )
    .option('--reason <text>', 'why, as the store will read it')
    .action((number: string, { by, reason }: { by: string; reason?: string }) =>
      cli.run(async ({ orders }) => answerWith(await orders.cancel(number, by, reason))),
    );
}

function statusOption(): Option {
  return new Option('--status <status>', 'only those that are in this state').choices(ORDER_STATUSES);
}

function withFilter(command: Command): Command {
  return command
    .option('--client <id>', 'only those of this client', readId)
    .option('--since <date>', 'only those from this time on', readStart);
}

function filterOf({ status, client, since }: FilterOptions): OrderFilter {
  return { status, clientId: client, since };
}

function answerWith(order: OrderShown) {
  return { json: order, text: describeOrder(order) };
}

async function* inOneRow(refused: AsyncIterable<RefusedOrderShown>) {
  for await (const { reasons, ...row } of refused) {
    const why = reasons
      .map(({ field, message }) => (field === '' ? message : `${field} ${message}`))
      .join('; ');
    yield { ...row, why };
  }
}
