import { Option } from 'commander';
import {
  DEFAULT_LOW_STOCK_THRESHOLD,
  parseOnHand,
  parseStockChange,
} from '../modules/stock/rules/on-hand.js';
import type { ProductStock, StockView } from '../modules/stock/stock-administration.service.js';
import { STOCK_COLUMNS, STOCK_EXPORT_COLUMNS } from '../modules/stock/stock-import.js';
import { table } from './answer.js';
import { type ActorOption, type CliCommand, readerOf, readStart } from './command.js';
import { addExportCommand } from './export-command.js';
import { addImportCommand, addOverwrite } from './import-command.js';
import type { Services } from './services.js';

const WHICH = 'the variation of a product that has variations, such as "Red / M"';
const COUNTS = ['on_hand', 'held', 'for_sale'] as const;

type StockChange = Parameters<Services['stock']['receive']>[0];

interface Quantity {
  sign: string;
  description: string;
  read: (text: string) => number | undefined;
  mustBe: string;
}

export function addStockCommands(program: CliCommand): void {
  const stock = program.group('stock', 'stock: how many goods are on hand');

  withQuantity(
    stock.add('receive', 'Adds goods to the stock or, with a minus, removes goods: breakage, a correction.'),
    {
      sign: '±n',
      description: 'how many arrived or, with a minus, were removed',
      read: parseStockChange,
      mustBe: 'a whole number such as 12, +12 or -3, and not 0',
    },
    ({ stock: service }, received) => service.receive(received),
  ).option('--reason <text>', 'the reason, kept with the record (goods in, or correction)');

  withQuantity(
    stock.add('count', 'Sets the counted number of one product or variation. Held goods stay held.'),
    {
      sign: 'n',
      description: 'how many were counted',
      read: parseOnHand,
      mustBe: 'a whole number such as 12',
    },
    ({ stock: service }, counted) => service.count(counted),
  );

  stock
    .add('show', 'Shows the stock of a product, and how much of it orders hold.')
    .forProduct()
    .does(async ({ stock: service }, sku) => {
      const result = await service.show(sku);
      return { json: result, text: describe(result) };
    });

  stock
    .add('low', 'Lists active products that are running out: fewer for sale than their threshold.')
    .withLimit()
    .preset(
      '--below <n>',
      'the threshold of products without low_stock',
      DEFAULT_LOW_STOCK_THRESHOLD,
      readThreshold,
    )
    .lists('No product is running out.', ({ stock: service }, { below, limit }) => service.low(below, limit));

  stock
    .add('history', 'Lists all changes of the stock of a product, the newest first.')
    .withLimit()
    .forProduct()
    .argument('[variation]', 'only this variation, such as "Red / M"')
    .since('changes')
    .lists('No changes.', ({ orderedGoods }, sku, variation, { since, limit }) =>
      orderedGoods.stockHistory(sku, { variation, since }, limit),
    );

  addImportCommand(stock, {
    description: 'Sets the stock to the counts of a file.',
    columns: [
      STOCK_COLUMNS.join(','),
      'the variation is the stock key or as in an order (Red / M), and empty or left out if there is none',
      'the quantity is the count',
    ].join('; '),
    files: ({ stockFiles }) => stockFiles,
    addOptions: (command) =>
      addOverwrite(command).addOption<{ countedAt?: Date }>(
        new Option('--counted-at <time>', 'when it was counted (now); later changes are added')
          .argParser(readStart)
          .conflicts('overwrite'),
      ),
  });
  addExportCommand(stock, STOCK_EXPORT_COLUMNS, 'Writes the stock on hand.', ({ stockFiles }) => stockFiles);
}

const readThreshold = readerOf(parseOnHand, 'a whole number such as 5');

/** Adds the arguments of a quantity. The variation before the quantity may be missing. */
function withQuantity(
  command: CliCommand,
  { sign, description, read, mustBe }: Quantity,
  work: (services: Services, counted: StockChange) => Promise<StockView>,
) {
  const taking = command
    .usage(`[options] <sku> [variation] <${sign}>`)
    .forProduct()
    .argument('[variation]', `${WHICH}; then <${sign}>`)
    .argument(`[${sign}]`, description)
    .by();
  const { declared, runner } = taking;
  declared.action((sku: string, second?: string, third?: string, options?: unknown) => {
    if (second === undefined) declared.error(`error: ${sign} is missing: ${description}`);
    const [variation, typed] = third === undefined ? [undefined, second] : [second, third];
    const quantity = read(typed!) ?? declared.error(`error: ${sign} must be ${mustBe}`);
    const { by: actor, reason } = options as { reason?: string } & ActorOption;
    return runner.run(async (services) => {
      const result = await work(services, { sku, variation, quantity, reason, actor });
      const what = result.variation === '' ? sku : `${sku} ${result.variation}`;
      const { on_hand: onHand, held, for_sale: forSale } = result;
      const text = `${what}: ${onHand} on hand, ${held} held by orders, ${forSale} for sale.\n`;
      return { json: result, text };
    });
  });
  return taking;
}

function describe({ sku, name, shelf, active, variations, ...sum }: ProductStock): string {
  const rows = variations.length > 1 ? [...variations, { variation: 'together', ...sum }] : variations;
  const place = shelf === '' ? '' : `, shelf ${shelf}`;
  return `${sku}, ${name}${place}${active ? '' : ' (not active)'}\n${table(rows, ['variation', ...COUNTS])}`;
}
