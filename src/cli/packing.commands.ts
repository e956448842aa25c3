import { fileText } from '../shared/imports/csv-format.js';
import path from 'node:path';
import { LAYOUT_NAMES, type LayoutName } from '../shared/pdf/layouts.js';
import type { PackingListView } from '../modules/fulfilment/packing/packing.repository.js';
import type { PackingService } from '../modules/fulfilment/packing/packing.service.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { COMMAND_OWNER } from '../platform/worker-threads/thread-owner.js';
import { type CommandAnswer, table } from './answer.js';
import { type CliCommand, readCount, readId } from './command.js';
import { describeError } from './explain.js';
import { addImportCommand } from './import-command.js';
import { ACCEPT_SHARED, readNumber } from './order-changes.commands.js';
import { OutputFile, writeTogether } from './output-file.js';

interface Files {
  output?: string;
  pdf?: string;
  excel?: boolean;
  layout?: LayoutName;
  /** Only the lines and the slip of this order. */
  order?: string;
}

const NOTHING_TO_PACK = 'Nothing to pack: no paid order waits for a list.';

export function addPackingCommands(program: CliCommand): void {
  const packing = program.group('packing', 'lists of paid orders to pack; an order is on one list at a time');

  withFiles(
    packing
      .add('new', 'Puts the paid orders that are on no list on a new one, the oldest payment first.')
      .requiredOption('--output <file.csv>', 'the file for the list: a row for each line, with the shelf'),
  )
    .ofClient()
    .option('--limit <count>', 'how many orders at most (all)', readCount)
    .by()
    .does(async ({ packing: lists }, { by, clientId, limit, ...options }) => {
      const files = await PackingFiles.open(options);
      const made = await lists.make(by, { clientId, limit }).catch(async (error: unknown) => {
        await files.discard();
        throw error;
      });
      if (!made) {
        await files.discard();
        return { json: { packing_list: null, orders: 0 }, text: `${NOTHING_TO_PACK}\n` };
      }
      try {
        return await files.write(lists, await lists.find(made.id));
      } catch (error) {
        throw await dropUnwritten(lists, made.id, by, error);
      }
    });

  packing
    .add('list', 'Lists the packing lists, the newest first.')
    .withLimit()
    .lists('No packing lists.', ({ packing: lists }, { limit }) => lists.list(limit));

  withFiles(
    packing
      .add('show', 'Shows a packing list, or writes it again with the lines that are still to ship.')
      .argument('<number>', 'the number of the list', readId)
      .option('--output <file.csv>', 'the file for the list'),
  )
    .option('--order <number>', 'only this order, such as to print its slip again', readNumber)
    .does(({ packing: lists }, number, files) =>
      files.output === undefined && files.pdf === undefined
        ? show(lists, number, files.order)
        : rewriteFiles(lists, number, files),
    );

  packing
    .add('drop', 'Frees the unshipped orders of a list, so that a new list takes them.')
    .argument('<number>', 'the number of the list', readId)
    .by()
    .does(async ({ packing: lists }, number, { by }) => {
      const dropped = await lists.drop(number, by);
      const { shipped, cancelled } = await lists.find(number);
      const kept =
        shipped + cancelled === 0 ? '' : `${shipped} shipped and ${cancelled} cancelled stay on it. `;
      const text = `Packing list ${number} is dropped. ${kept}Free for the next list: ${dropped.freed}.\n`;
      return { json: dropped, text };
    });
}

function withFiles<Args extends unknown[], Options>(command: CliCommand<Args, Options>) {
  return command
    .option('--pdf <file.pdf>', "the file for the slips: one for each order, in its client's name")
    .requiredChoice(
      '--layout <layout>',
      'how slips are printed: one or two on a page, or labels of 4 × 6 inches',
      LAYOUT_NAMES,
      'page',
    )
    .option('--excel', 'begin the list with a byte order mark, so that Excel reads UTF-8');
}

async function show(lists: PackingService, number: number, order?: string): Promise<CommandAnswer> {
  const list = await lists.find(number);
  const all = await lists.ordersOf(number);
  const orders = all.filter((one) => order === undefined || one.order_number === order);
  return {
    json: { ...list, rows: orders },
    text: (zone) =>
      `${table([list], undefined, zone)}\n` +
      (orders.length === 0 ? 'No order is on it.\n' : table(orders, undefined, zone)),
  };
}

async function rewriteFiles(lists: PackingService, number: number, options: Files): Promise<CommandAnswer> {
  const list = await lists.find(number);
  if (list.to_ship === 0)
    throw new DomainError('conflict', `Packing list ${number} has no orders left to ship.`);
  return (await PackingFiles.open(options)).write(lists, list);
}

/** The files of a list. They are opened first, so an unwritable file is refused before orders are marked. */
class PackingFiles {
  private constructor(
    private readonly options: Files,
    private readonly list: OutputFile | undefined,
    private readonly slips: OutputFile | undefined,
  ) {}

  static async open(options: Files): Promise<PackingFiles> {
    const { output, pdf } = options;
    if (output !== undefined && pdf !== undefined && path.resolve(output) === path.resolve(pdf))
      throw new DomainError('unwritable_file', `The list and the slips cannot be one file: ${output}.`);
    const list = output === undefined ? undefined : await OutputFile.open(output);
    try {
      return new PackingFiles(
        options,
        list,
        pdf === undefined ? undefined : await OutputFile.open(pdf, output),
      );
    } catch (error) {
      await list?.discard();
      throw error;
    }
  }

  async discard(): Promise<void> {
    await Promise.all([this.list?.discard(), this.slips?.discard()]);
  }

  async write(lists: PackingService, list: PackingListView): Promise<CommandAnswer> {
    const { output, pdf, excel = false, layout, order } = this.options;
    const { packing_list } = list;
    const orders = order === undefined ? list.to_ship : 1;
    const { content, unprintable } = await lists
      .printSlips(list, COMMAND_OWNER, layout, order)
      .catch(async (error: unknown) => {
        await this.discard();
        throw error;
      });
    const { columns, rows } = lists.exportList(packing_list, order);
    await writeTogether([
      ...(this.list ? [[this.list, fileText(columns, rows, excel)] as const] : []),
      ...(this.slips ? [[this.slips, content] as const] : []),
    ]);
    const written = [output, pdf].filter((file) => file !== undefined).join(' and ');
    const boxes =
      unprintable.length === 0
        ? ''
        : `The slips show [?] for letters that the fonts lack: ${unprintable.join(', ')}.\n`;
    return {
      json: { packing_list, orders, file: output, pdf, unprintable },
      text: `Packing list ${packing_list}, orders: ${orders}. Wrote ${written}.\n${boxes}`,
    };
  }
}

/** An order must not stay on a list that was not written. */
async function dropUnwritten(lists: PackingService, number: number, by: string, error: unknown) {
  const rest = await lists.drop(number, by).then(
    () => `Packing list ${number} is dropped; its orders wait for the next list.`,
    () =>
      `Packing list ${number} remains: run "packing show ${number} --output …" or "packing drop ${number}".`,
  );
  return new DomainError('unwritable_file', `${describeError(error).message} ${rest}`, { cause: error });
}

const acceptsShared = (command: CliCommand) => command.option('--force', ACCEPT_SHARED);

export function addShipmentCommands(program: CliCommand): void {
  const shipment = program.group('shipment', 'shipments and deliveries of many orders');
  const columns = 'order_number,courier,tracking_number,tracking_url,shipped_at';
  addImportCommand(shipment, {
    description:
      'Records the parcels of a file. Their goods leave the stock: some lines, or all that are left.',
    columns: `${columns},without_irn,lines such as "1=2 2=1"; the last five may be missing or empty`,
    files: ({ parcelFiles }) => parcelFiles.shipments,
    addOptions: (command) =>
      acceptsShared(command).option(
        '--old-slips',
        'also ship orders that were changed after their slips were printed',
      ),
  });
  addImportCommand(shipment, {
    name: 'correct',
    description: 'Corrects courier, tracking and time of parcels. The timeline keeps the old values.',
    columns: `${columns},parcel; the last four may be missing or empty; empty cells change nothing`,
    files: ({ parcelFiles }) => parcelFiles.corrections,
    addOptions: acceptsShared,
  });
  addImportCommand(shipment, {
    name: 'deliver',
    description: 'Records what the courier reports: deliveries, RTO and lost parcels.',
    columns:
      'order_number or tracking_number, and parcel,status,delivered_at; ' +
      'without the column status each row is a delivery',
    files: ({ parcelFiles }) => parcelFiles.deliveries,
  });
}
