import { type Command, Option } from 'commander';
import { type Period, PERIODS, SALES_COLUMNS, type SalesLine } from '../../orders/desk/sales-columns.js';
import type { Cli } from './cli.js';
import { addOutputOptions, exportRows, type OutputOptions } from './export-command.js';
import { type FilterOptions, filterOf, withFilter } from './order-filter-options.js';
import { longTable } from './table.js';
import { jsonArray } from './write-out.js';

/** What was sold, line by line and added up. */
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
      const lines = await services.orders.sales(await filterOf(services, options));
      return exportRows<SalesLine>(SALES_COLUMNS, lines, options);
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
      return { json: jsonArray(rows), text: longTable(rows, columns, 'No orders.') };
    }),
  );
}
