import { type Command, Option } from 'commander';
import type { OrderFilter, RefusedOrderShown } from '../../orders/desk/order-desk.repository.js';
import { ORDER_STATUSES, type OrderStatus } from '../../orders/rules/order-transitions.js';
import { PACKING_COLUMNS, type PackingLine } from '../../orders/desk/packing-list.js';
import type { Cli } from './cli.js';
import { describeRefusal } from './describe-refusal.js';
import { addOutputOptions, exportRows, type OutputOptions } from './export-command.js';
import { answerWith, named, numberOf, type NamedOrder } from './named-order.js';
import { readStart } from './option-values.js';
import { addOrderChanges } from './order-changes.commands.js';
import type { Services } from './services.js';
import { longTable } from './table.js';
import { jsonArray } from './write-out.js';

interface FilterOptions {
  status?: OrderStatus;
  client?: string;
  since?: Date;
}

export function addOrderCommands(cli: Cli): void {
  const order = cli.group('order', 'orders of all clients');
  addLookUps(cli, order);
  addOrderChanges(cli, order);
}

function addLookUps(cli: Cli, order: Command): void {
  withFilter(cli.command(order, 'list', 'Lists orders, the newest first.').addOption(statusOption())).action(
    (options: FilterOptions) =>
      cli.run(async (services) => {
        const rows = await services.orders.list(await filterOf(services, options));
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

  named(cli.command(order, 'show', 'Shows an order with its lines and its timeline.')).action(
    (name: string, options: NamedOrder) =>
      cli.run(async (services) =>
        answerWith(await services.orders.show(await numberOf(services, name, options))),
      ),
  );

  withFilter(
    addOutputOptions(
      cli
        .command(order, 'export', 'Writes the packing list: a row for each line, with the address.')
        .addOption(statusOption().default('pending')),
    ),
  ).action((options: FilterOptions & OutputOptions) =>
    cli.run(async (services) => {
      const lines = await services.orders.packingList(await filterOf(services, options));
      return exportRows<PackingLine>(PACKING_COLUMNS, lines, options);
    }),
  );

  withFilter(
    cli.command(order, 'refused', 'Lists the orders that were refused in the last 30 days, and why.'),
  ).action((options: FilterOptions) =>
    cli.run(async (services) => {
      const rows = await services.orders.refused(await filterOf(services, options));
      const columns = [
        'refused_at',
        'client_id',
        'client',
        'store_order_id',
        'code',
        'asked',
        'why',
      ] as const;
      return { json: jsonArray(rows), text: longTable(inOneRow(rows), columns, 'No refused orders.') };
    }),
  );
}

function statusOption(): Option {
  return new Option('--status <status>', 'only those that are in this state').choices(ORDER_STATUSES);
}

function withFilter(command: Command): Command {
  return command
    .option('--client <client>', 'only those of this client: its number, name, domain or e-mail address')
    .option('--since <date>', 'only those from this time on', readStart);
}

async function filterOf(
  { clientFinder }: Services,
  { status, client, since }: FilterOptions,
): Promise<OrderFilter> {
  return { status, clientId: client === undefined ? undefined : await clientFinder.find(client), since };
}

async function* inOneRow(refused: AsyncIterable<RefusedOrderShown>) {
  for await (const refusal of refused) yield describeRefusal(refusal);
}
