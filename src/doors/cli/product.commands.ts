import type { ProductChange, ProductSet } from '../../catalog/product-administration.service.js';
import type { OpenOrder } from '../../orders/ordered-goods.repository.js';
import { table } from './answer.js';
import type { By, CliCommand } from './command.js';
import { addDates, addPriceGuards } from './import-command.js';

/** By column. */
const CHANGES = {
  name: 'the name',
  description: 'the description',
  category: 'the category',
  images: 'addresses of images, separated by spaces',
  base_price: 'the price before the discounts of the plans, such as 249.50',
  delivery_charge: 'the delivery charge, such as 40',
  active: 'yes: it can be ordered; no: it cannot',
  variations: 'the variations, such as "Color=Red|Blue; Size=S|M"',
  low_stock: 'its own threshold for `stock low`; 0 removes it',
  shelf: 'where it lies in the warehouse, such as A-12-3; an empty text removes it',
  hsn: 'its HSN code, such as 6109; an empty text removes it',
  gst_rate: 'its rate of GST in percent, such as 18; an empty text removes it',
  unit: 'its unit quantity code of GST, such as NOS, PCS or KGS',
} satisfies Required<ProductChange>;

interface Guards extends By {
  force?: boolean;
  maxChange?: number;
}

export function addProductCommands(program: CliCommand): void {
  const product = program.group('product', 'single products of the catalog');

  const set = addDates(
    addPriceGuards(product.add('set <sku>', 'Changes the given values of a product; the rest stays.')),
  ).by();
  for (const [column, description] of Object.entries(CHANGES))
    set.option(`--${column.replaceAll('_', '-')} <${column}>`, description);
  set
    .changes(Object.keys(CHANGES).map(inCamelCase))
    .does(async ({ products, priceFiles, priceSchedules }, sku, options) => {
      const { from, to } = options;
      if (from || to) {
        const change = changeOf(options);
        const scheduled = await priceFiles.scheduleBase(sku, change, { from, to }, importOptions(options));
        const { old, new: price, warnings } = scheduled;
        const changed = [{ column: 'base_price', from: old, to: price }];
        return {
          json: scheduled,
          text: priceSchedules.tell(scheduled) + describe(sku, { changed, warnings }),
        };
      }
      const changed = await products.set(sku, changeOf(options), importOptions(options));
      return { json: changed, text: describe(sku, changed) };
    });

  product
    .add('deactivate <sku>', 'Takes a product off sale, and lists its open orders.')
    .by()
    .does(async ({ products, orderedGoods }, sku, options) => {
      const changed = await products.deactivate(sku, importOptions(options));
      const open_orders = await orderedGoods.openOrders(sku);
      return {
        json: { ...changed, open_orders },
        text: describe(sku, changed) + describeOrders(open_orders),
      };
    });
}

function changeOf(options: object): ProductChange {
  const given = Object.keys(CHANGES).map(
    (column) => [column, (options as Record<string, string>)[inCamelCase(column)]] as const,
  );
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** As commander calls an option. */
function inCamelCase(column: string): string {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function importOptions({ by, force, maxChange }: Guards) {
  return { actor: by, force, maxChange };
}

function describe(sku: string, { changed, warnings }: Pick<ProductSet, 'changed' | 'warnings'>): string {
  const changes = changed.map(({ column, from, to }) => `${sku} ${column}: ${from} → ${to}\n`);
  const warned = warnings.map(({ column, message }) => `Warning: ${column} ${message}\n`);
  return [...(changes.length === 0 ? [`${sku} has these values already.\n`] : changes), ...warned].join('');
}

function describeOrders(orders: OpenOrder[]): string {
  if (orders.length === 0) return 'No open order needs it.\n';
  return `Open orders still need it:\n${table(orders, ['order_number', 'status', 'quantity'])}`;
}
