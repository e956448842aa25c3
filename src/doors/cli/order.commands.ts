import { type Command, Option } from 'commander';
import type { RefusedOrder } from '../../activity/history/request-history.js';
import { faultWords } from '../../activity/rules/kept-parts.js';
import { ORDER_STATUSES } from '../../orders/rules/order-transitions.js';
import type { Cli } from './cli.js';
import { addOutputOptions, exportRows, type OutputOptions } from './export-command.js';
import { answerWith, named, numberOf, type NamedOrder } from './named-order.js';
import { addListOptions, limitOf, listAnswer, type ListOptions } from './list-command.js';
import { CLIENT, readStart } from './option-values.js';
import { type FilterOptions, filterOf, withFilter } from './order-filter-options.js';
import { addSalesCommands } from './sales.commands.js';
import { addOrderChanges } from './order-changes.commands.js';

export function addOrderCommands(cli: Cli): void {
  const order = cli.group('order', 'orders of all clients');
  addLookUps(cli, order);
  addOrderChanges(cli, order);
  addSalesCommands(cli, order);
}

function addLookUps(cli: Cli, order: Command): void {
  addListOptions(
    withFilter(cli.command(order, 'list', 'Lists orders, the newest first.').addOption(statusOption())),
  ).action((options: FilterOptions & ListOptions) =>
    cli.run(async (services) => {
      const rows = await services.orders.list(await filterOf(services, options), limitOf(options));
      const columns = [
        'order_number',
        'client_id',
        'client',
        'status',
        'payment_status',
        'total',
        'items_count',
        'placed_at',
        'payment_due_at',
        'store_order_id',
      ] as const;
      return listAnswer(rows, columns, 'No orders.');
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
      const { columns, rows } = await services.orders.packingList(await filterOf(services, options));
      return exportRows(columns, rows, options);
    }),
  );

  addListOptions(cli.command(order, 'refused', 'Lists refused orders, and why they were refused.'))
    .option('--client <client>', `only those of ${CLIENT}`)
    .option('--since <date>', 'only those from this time on', readStart)
    .action((options: Pick<FilterOptions, 'client' | 'since'> & ListOptions) =>
      cli.run(async (services) => {
        const rows = await services.orders.refused(await filterOf(services, options), limitOf(options));
        const columns = [
          'refused_at',
          'client_id',
          'client',
          'store_order_id',
          'code',
          'asked',
          'why',
        ] as const;
        return listAnswer(rows, columns, 'No refused orders.', inOneRow);
      }),
    );
}

function statusOption(): Option {
  return new Option('--status <status>', 'only those that are in this state').choices(ORDER_STATUSES);
}

function inOneRow({ asked, reasons, ...row }: RefusedOrder) {
  return {
    ...row,
    asked: asked.map(({ sku, quantity }) => `${sku ?? '?'} × ${quantity ?? '?'}`).join(', '),
    why: reasons.map(describeReason).join('; '),
  };
}

/** Names the SKU of a line: its place in the request means nothing here. */
function describeReason(fault: RefusedOrder['reasons'][number]): string {
  if (fault.field === '') return faultWords(fault);
  const [, rest] = /^items\[\d+\]\.?(.*)$/.exec(fault.field) ?? [];
  return fault.sku === undefined || rest === undefined
    ? `${fault.field} ${faultWords(fault)}`
    : `${fault.sku}: ${rest} ${faultWords(fault)}`;
}
