import type { Command } from 'commander';
import type { ProductChange, ProductSet } from '../../catalog/product-administration.js';
import type { OpenOrder } from '../../orders/ordered-goods.repository.js';
import type { Cli } from './cli.js';
import { addPriceGuards } from './import-command.js';
import { readActor } from './option-values.js';
import { operator } from './operator.js';
import { table } from './table.js';

/** By column. */
const CHANGES = {
  name: 'what it is called',
  description: 'what it is',
  category: 'where it belongs',
  images: 'addresses of images, separated by spaces',
  base_price: 'the price before the discounts of the plans, such as 249.50',
  delivery_charge: 'what its delivery costs, such as 40',
  active: 'true: it can be ordered; false: it cannot',
  variations: 'what it comes in, such as "Color=Red|Blue; Size=S|M"',
} satisfies Required<ProductChange>;

interface Guards {
  by: string;
  force?: boolean;
  maxChange?: number;
}

export function addProductCommands(cli: Cli): void {
  const product = cli.group('product', 'single products of the catalog');

  addChanges(cli.command(product, 'set <sku>', 'Changes what is given of a product; the rest stays.')).action(
    async (sku: string, options: Guards & Record<string, string>, command: Command) => {
      const change = changeOf(options);
      if (Object.keys(change).length === 0) command.error('error: nothing is given that is to be changed');
      await cli.run(async ({ products }) => {
        const set = await products.set(sku, change, importOptions(options));
        return { json: set, text: describe(sku, set) };
      });
    },
  );

  cli
    .command(
      product,
      'deactivate <sku>',
      'Takes a product off sale, and tells which open orders still want it.',
    )
    .option('--by <name>', 'who does it', readActor, operator())
    .action((sku: string, options: Guards) =>
      cli.run(async ({ products, orderedGoods }) => {
        const set = await products.deactivate(sku, importOptions(options));
        const open_orders = await orderedGoods.openOrders(sku);
        return { json: { ...set, open_orders }, text: describe(sku, set) + describeOrders(open_orders) };
      }),
    );
}

function addChanges(command: Command): Command {
  for (const [column, description] of Object.entries(CHANGES))
    command.option(`--${column.replaceAll('_', '-')} <${column}>`, description);
  return addPriceGuards(command).option('--by <name>', 'who does it', readActor, operator());
}

function changeOf(options: Record<string, unknown>): ProductChange {
  const given = Object.keys(CHANGES).map((column) => [column, options[inCamelCase(column)]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** As commander calls an option. */
function inCamelCase(column: string): string {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function importOptions({ by, force, maxChange }: Guards) {
  return { actor: by, force, maxChange };
}

function describe(sku: string, { changed, warnings }: ProductSet): string {
  const changes = changed.map(({ column, from, to }) => `${sku} ${column}: ${from} → ${to}\n`);
  const warned = warnings.map(({ column, message }) => `Warning: ${column} ${message}\n`);
  return [...(changes.length === 0 ? [`${sku} is like that already.\n`] : changes), ...warned].join('');
}

function describeOrders(orders: OpenOrder[]): string {
  if (orders.length === 0) return 'No open order wants it.\n';
  return `Open orders still want it:\n${table(orders, ['order_number', 'status', 'quantity'])}`;
}
