import { type Command, Option } from 'commander';
import type { Period } from '../../orders/desk/order-desk.repository.js';
import type { Cli } from './cli.js';
import { addOutputOptions, exportRows, type OutputOptions } from './export-command.js';
import { type FilterOptions, filterOf, withFilter } from './order-filter-options.js';
import { listAnswer } from './list-command.js';

const PERIODS: Period[] = ['day', 'month', 'year'];

/** Sales by line and in totals. */
export function addSalesCommands(cli: Cli, order: Command): void {
  withFilter(
    addOutputOptions(
      cli.command(
        order,
        'sales-export',
        'Writes a row for each line of the orders: when, what, for how much, paid and refunded.',
      ),
    ),
  ).action((options: FilterOptions & OutputOptions) =>
    cli.run(async (services) => {
      const { columns, rows } = await services.orders.sales(await filterOf(services, options));
      return exportRows(columns, rows, options);
    }),
  );

  withFilter(
    cli
      .command(order, 'totals', 'Adds up the orders of each client, by when they were placed (UTC).')
      .addOption(new Option('--by <period>', 'what is added up').choices(PERIODS).default('month')),
  ).action(({ by, ...options }: FilterOptions & { by: Period }) =>
    cli.run(async (services) => {
      const rows = await services.orders.totals(await filterOf(services, options), by);
      const columns = [
        'period',
        'client_id',
        'client',
        'currency',
        'orders',
        'cancelled',
        'goods',
        'delivery',
        'total',
        'paid',
        'refunded',
      ] as const;
      return listAnswer(rows, columns, 'No orders.');
    }),
  );
}
