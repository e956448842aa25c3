import { type Command, Option } from 'commander';
import { STOCK_COLUMNS, STOCK_EXPORT_COLUMNS, type StockRow } from '../../stock/files/stock-columns.js';
import type { StockShown } from '../../stock/stock-receipts.js';
import type { Answer } from './answer.js';
import type { Cli } from './cli.js';
import { addExportCommand } from './export-command.js';
import { addImportCommand, addOverwrite } from './import-command.js';
import { operator } from './operator.js';
import { readActor, readChange, readQuantity, readStart } from './option-values.js';
import { addStockLookUps } from './stock-look-ups.commands.js';

const WHICH = 'for a product that has variations, which, such as "Red / M"';

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
    .argument('[variation]', `${WHICH}; then <±n>`)
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
        await cli.run(async ({ stockReceipts }) =>
          answerWith(await stockReceipts.receive({ sku, variation, quantity, reason, actor: by })),
        );
      },
    );

  cli
    .command(stock, 'count', 'Says how many of one thing are on the shelf. What orders hold is not touched.')
    .usage('[options] <sku> [variation] <n>')
    .argument('<sku>', 'the product')
    .argument('[variation]', `${WHICH}; then <n>`)
    .argument('[n]', 'how many were counted')
    .option('--by <name>', 'who does it', readActor, operator())
    .action(
      async (
        sku: string,
        second: string | undefined,
        third: string | undefined,
        { by }: { by: string },
        command: Command,
      ) => {
        if (second === undefined) command.error('error: n is missing: how many were counted');
        const [variation, counted] = third === undefined ? [undefined, second] : [second, third];
        const quantity = readQuantity(counted) ?? command.error('error: n must be a whole number such as 12');
        await cli.run(async ({ stockReceipts }) =>
          answerWith(await stockReceipts.count({ sku, variation, quantity, actor: by })),
        );
      },
    );

  addStockLookUps(cli, stock);

  const columns = `${STOCK_COLUMNS.join(',')}; the variation is empty, the stock key, or as in an order (Red / M); the quantity is what was counted`;
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

function answerWith(shown: StockShown): Answer {
  const what = shown.variation === '' ? shown.sku : `${shown.sku} ${shown.variation}`;
  const text = `${what}: ${shown.on_hand} on hand, ${shown.held} held by orders, ${shown.for_sale} for sale.\n`;
  return { json: shown, text };
}
