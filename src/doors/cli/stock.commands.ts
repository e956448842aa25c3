import { type Command, Option } from 'commander';
import { STOCK_EXPORT_COLUMNS, type StockRow } from '../../stock/files/stock-files.js';
import { STOCK_COLUMNS } from '../../stock/files/stock-import.js';
import type { Cli } from './cli.js';
import { addExportCommand } from './export-command.js';
import { addImportCommand, addOverwrite } from './import-command.js';
import { operator } from './operator.js';
import { readActor, readChange, readStart } from './option-values.js';

interface ReceiveOptions {
  reason?: string;
  by: string;
}

export function addStockCommands(cli: Cli): void {
  const stock = cli.group('stock', 'stock: what is on the shelf');

  cli
    .command(
      stock,
      'receive',
      'Adds to what is on hand, or with a minus takes from it: goods in, breakage, a correction.',
    )
    .usage('[options] <sku> [variation] <±n>')
    .argument('<sku>', 'the product')
    .argument('[variation]', 'for a product that has variations, which, such as "Red / M"; then <±n>')
    .argument('[±n]', 'how many came in, or with a minus went')
    .option('--reason <text>', 'why; it is kept with the record (goods in, or correction)')
    .option('--by <name>', 'who does it', readActor, operator())
    .action(
      async (
        sku: string,
        second: string | undefined,
        third: string | undefined,
        { reason, by }: ReceiveOptions,
        command: Command,
      ) => {
        if (second === undefined)
          command.error('error: ±n is missing: how many came in, or with a minus went');
        const [variation, change] = third === undefined ? [undefined, second] : [second, third];
        const quantity =
          readChange(change) ??
          command.error('error: ±n must be a whole number such as 12, +12 or -3, and not 0');
        await cli.run(async ({ stockReceipts }) => {
          const shown = await stockReceipts.receive({ sku, variation, quantity, reason, actor: by });
          const what = shown.variation === '' ? sku : `${sku} ${shown.variation}`;
          const text = `${what}: ${shown.on_hand} on hand, ${shown.held} held by orders, ${shown.for_sale} for sale.\n`;
          return { json: shown, text };
        });
      },
    );

  const columns = `${STOCK_COLUMNS.join(',')}; the variation is the stock key or empty, the quantity what was counted`;
  addImportCommand(
    cli,
    stock,
    columns,
    'Takes over what was counted on the shelf.',
    ({ stockFiles }) => stockFiles,
    (command) =>
      addOverwrite(command).addOption(
        new Option(
          '--counted-at <time>',
          'when it was counted, if not just now: what came and went since is added and taken off',
        )
          .argParser(readStart)
          .conflicts('overwrite'),
      ),
  );
  addExportCommand<StockRow>(
    cli,
    stock,
    STOCK_EXPORT_COLUMNS,
    'Writes what is on hand.',
    ({ stockFiles }) => stockFiles,
  );
}
