import {
  CATALOG_COLUMNS,
  CATALOG_EXPORT_COLUMNS,
  EDITABLE_COLUMNS,
  PRODUCT_FIELDS,
} from '../modules/catalog/catalog-columns.js';
import type { ProductUpdateResult } from '../modules/catalog/product-administration.service.js';
import type { OpenOrder } from '../modules/orders/ordered-goods.repository.js';
import { table } from './answer.js';
import { pickTexts } from '../platform/validation/described-field.js';
import { type ActorOption, type CliCommand, readCharge, readSkus } from './command.js';
import { addExportCommand } from './export-command.js';
import { addDates, addImportCommand, addOverwrite, addPriceGuards } from './import-command.js';

export function addCatalogCommands(program: CliCommand): void {
  const catalog = program.group('catalog', 'the catalog file: all products');
  addImportCommand(catalog, {
    description: 'Creates and changes the products of a file; others stay.',
    columns: [
      CATALOG_COLUMNS.join(','),
      'missing columns stay, a new product needs the name and both amounts',
      'images separated by spaces, variations as Color=Red|Blue; Size=S|M',
    ].join('; '),
    files: ({ catalogFiles }) => catalogFiles,
    addOptions: (command) =>
      addPriceGuards(addOverwrite(command))
        .option('--update-only', 'create no product: refuse rows of new products')
        .option(
          '--new-delivery-charge <amount>',
          'the delivery charge of new products, where the file has none',
          readCharge,
        )
        .option(
          '--accept-new <sku,…>',
          'new SKUs that are correct although they look like a mistake',
          readSkus,
        ),
  });
  addExportCommand(
    catalog,
    CATALOG_EXPORT_COLUMNS,
    'Writes all products.',
    ({ catalogFiles }) => catalogFiles,
  );
}

interface Guards extends ActorOption {
  force?: boolean;
  maxChange?: number;
}

export function addProductCommands(program: CliCommand): void {
  const product = program.group('product', 'single products of the catalog');

  const set = addDates(
    addPriceGuards(product.add('set', 'Changes the given values of a product; the rest stays.').forProduct()),
  ).by();
  set
    .fields(PRODUCT_FIELDS, EDITABLE_COLUMNS)
    .changes(EDITABLE_COLUMNS)
    .does(async ({ products, priceFiles, priceSchedules }, sku, options) => {
      const { from, to } = options;
      if (from || to) {
        const change = pickTexts(EDITABLE_COLUMNS, options);
        const scheduled = await priceFiles.scheduleOne(sku, change, { from, to }, importOptions(options));
        const { column, old, new: value, warnings } = scheduled;
        const changed = [{ column, from: old, to: value }];
        const what = column === 'gst_rate' ? 'GST rate' : 'price';
        return {
          json: scheduled,
          text: priceSchedules.describe(scheduled, what) + describe(sku, { changed, warnings }),
        };
      }
      const changed = await products.set(sku, pickTexts(EDITABLE_COLUMNS, options), importOptions(options));
      return { json: changed, text: describe(sku, changed) };
    });

  product
    .add('deactivate', 'Takes a product off sale, and lists its open orders.')
    .forProduct()
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

function importOptions({ by, force, maxChange }: Guards) {
  return { actor: by, force, maxChange };
}

function describe(
  sku: string,
  { changed, warnings }: Pick<ProductUpdateResult, 'changed' | 'warnings'>,
): string {
  const changes = changed.map(({ column, from, to }) => `${sku} ${column}: ${from} → ${to}\n`);
  const warned = warnings.map(({ column, message }) => `Warning: ${column} ${message}\n`);
  return [...(changes.length === 0 ? [`${sku} has these values already.\n`] : changes), ...warned].join('');
}

function describeOrders(orders: OpenOrder[]): string {
  if (orders.length === 0) return 'No open order needs it.\n';
  return `Open orders still need it:\n${table(orders, ['order_number', 'status', 'quantity'])}`;
}
