import type { Command } from 'commander';
import type { StockEvent } from '../../orders/ordered-goods.repository.js';
import type { LowStock, ProductStock } from '../../stock/stock-look-ups.js';
import type { Cli } from './cli.js';
import { addListOptions, limitOf, listAnswer, type ListOptions } from './list-command.js';
import { readCount, readStart } from './option-values.js';
import { table } from './table.js';

const COUNTS = ['on_hand', 'held', 'for_sale'] as const;

const EVENT = [
  'moved_at',
  'variation',
  'on_hand_change',
  'held_change',
  'on_hand',
  'held',
  'reason',
  'actor',
] as const;

export function addStockLookUps(cli: Cli, stock: Command): void {
  cli
    .command(stock, 'show <sku>', 'Shows what there is of a product, and how much of it orders hold.')
    .action((sku: string) =>
      cli.run(async ({ stockLookUps }) => {
        const shown = await stockLookUps.show(sku);
        return { json: shown, text: describe(shown) };
      }),
    );

  addListOptions(
    cli.command(stock, 'low', 'Lists what is running out: the active products of which fewer can be sold.'),
  )
    .requiredOption('--below <n>', 'fewer than so many', readCount)
    .action(({ below, ...options }: { below: number } & ListOptions) =>
      cli.run(({ stockLookUps }) => {
        const rows = stockLookUps.low(below, limitOf(options));
        const columns = ['sku', 'variation', 'name', ...COUNTS] as const;
        return Promise.resolve(listAnswer<LowStock>(rows, columns, 'Nothing is running out.'));
      }),
    );

  addListOptions(
    cli.command(
      stock,
      'history',
      'Tells what happened to the stock of a product, when, why and by whom, the newest first.',
    ),
  )
    .argument('<sku>', 'the product')
    .argument('[variation]', 'only this one, such as "Red / M"')
    .option('--since <date>', 'only from this time on', readStart)
    .action(
      (sku: string, variation: string | undefined, { since, ...options }: { since?: Date } & ListOptions) =>
        cli.run(async ({ orderedGoods }) => {
          const rows = await orderedGoods.stockHistory(sku, { variation, since }, limitOf(options));
          return listAnswer<StockEvent>(rows, EVENT, 'Nothing has happened to it.');
        }),
    );
}

function describe({ sku, name, active, variations, ...sum }: ProductStock): string {
  const rows = variations.length > 1 ? [...variations, { variation: 'together', ...sum }] : variations;
  return `${sku}, ${name}${active ? '' : ' (not active)'}\n${table(rows, ['variation', ...COUNTS])}`;
}
