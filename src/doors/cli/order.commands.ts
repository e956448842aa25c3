import type { RefusedOrder } from '../../activity/kept-requests/request-history.repository.js';
import { faultWords } from '../../activity/rules/kept-parts.js';
import type { DeskFilter, DeskListed } from '../../orders/records/order-desk.repository.js';
import type { Period } from '../../sales/sales.repository.js';
import { ORDER_STATUSES, type OrderStatus } from '../../orders/rules/order-transitions.js';
import { listAnswer } from './answer.js';
import {
  type CliCommand,
  clientIdOf,
  limitOf,
  type ListOptions,
  readWords,
  readEnd,
  readStart,
} from './command.js';
import { addOutputOptions, exportRows, type OutputOptions } from './export-command.js';
import { addOrderChanges, answerWith, named, numberOf, type NamedOrder } from './order-changes.commands.js';
import type { Services } from './services.js';

interface FilterOptions {
  status?: OrderStatus;
  client?: string;
  since?: Date;
  to?: Date;
  paidFrom?: Date;
  paidTo?: Date;
  shippedFrom?: Date;
  shippedTo?: Date;
}

const PERIODS: Period[] = ['day', 'month', 'year'];

export function addOrderCommands(program: CliCommand): void {
  const order = program.group('order', 'orders of all clients');

  withFilter(withStatus(order.add('list', 'Lists orders, the newest first.').listed()))
    .option(
      '--search <text>',
      "only orders with this number, store's id, or part of a name, phone, e-mail, city or AWB",
      readWords,
    )
    .does(async (services, options: FilterOptions & ListOptions & { search?: string }) => {
      const { search } = options;
      const filter = { ...(await filterOf(services, options)), search };
      const rows = await services.orders.list(filter, limitOf(options));
      return listAnswer(rows, 'No orders.', search === undefined ? inList : inSearch);
    });

  named(order.add('show', 'Shows an order with its lines and its timeline.')).does(
    async (services, name: string, options: NamedOrder) =>
      answerWith(await services.orders.show(await numberOf(services, name, options))),
  );

  withFilter(
    withStatus(
      addOutputOptions(
        order.add('export', 'Writes the lines of orders: a row for each, with address and shelf.'),
      ),
      'pending',
    ),
  ).does(async (services, options: FilterOptions & OutputOptions) => {
    const { columns, rows } = await services.packing.linesOf(await filterOf(services, options));
    return exportRows(columns, rows, options);
  });

  order
    .add('refused', 'Lists refused orders with the reasons.')
    .listed()
    .ofClient()
    .since('orders')
    .does(async (services, options: Pick<FilterOptions, 'client' | 'since'> & ListOptions) => {
      const rows = await services.orders.refused(await filterOf(services, options), limitOf(options));
      return listAnswer(rows, 'No refused orders.', inOneRow);
    });

  addOrderChanges(order);

  withFilter(
    addOutputOptions(
      order.add('sales-export', 'Writes the sales: a row for each line, with payments and refunds.'),
    ),
  ).does(async (services, options: FilterOptions & OutputOptions) => {
    const { columns, rows } = await services.sales.lines(await filterOf(services, options));
    return exportRows(columns, rows, options);
  });

  withFilter(
    order
      .add('totals', 'Adds up the orders of each client, by when they were placed.')
      .choice('--by <period>', 'the period of one sum', PERIODS, 'month'),
  ).does(async (services, { by, ...options }: FilterOptions & { by: Period }) =>
    listAnswer(await services.sales.totals(await filterOf(services, options), by), 'No orders.'),
  );
}

function withStatus(command: CliCommand, preset?: OrderStatus): CliCommand {
  return command.choice('--status <status>', 'only orders with this status', ORDER_STATUSES, preset);
}

function withFilter(command: CliCommand): CliCommand {
  return command
    .ofClient()
    .since('orders placed', '--from, --since <date>')
    .to('orders placed')
    .option('--paid-from <date>', 'only orders paid from this time on', readStart)
    .option('--paid-to <date>', 'only orders paid before this time; a date includes that day', readEnd)
    .option('--shipped-from <date>', 'only orders shipped from this time on', readStart)
    .option('--shipped-to <date>', 'only orders shipped before this time; a date includes that day', readEnd);
}

async function filterOf(
  services: Services,
  { client, since, status, to, paidFrom, paidTo, shippedFrom, shippedTo }: FilterOptions,
): Promise<DeskFilter> {
  const clientId = await clientIdOf(services, client);
  return { status, clientId, from: since, to, paidFrom, paidTo, shippedFrom, shippedTo };
}

function inList({ currency, customer_name, city, tracking_number, ...row }: DeskListed) {
  return row;
}

/** Shows the values that the search looks at. */
function inSearch({ order_number, client, store_order_id, status, total, placed_at, ...row }: DeskListed) {
  const { customer_name, city, tracking_number } = row;
  return {
    order_number,
    client,
    store_order_id,
    status,
    total,
    placed_at,
    customer_name,
    city,
    tracking_number,
  };
}

function inOneRow({ asked, reasons, ...row }: RefusedOrder) {
  return {
    ...row,
    asked: asked.map(({ sku, quantity }) => `${sku ?? '?'} × ${quantity ?? '?'}`).join(', '),
    why: reasons.map(describeReason).join('; '),
  };
}

/** Names the SKU of a line. The position in the request means nothing here. */
function describeReason(fault: RefusedOrder['reasons'][number]): string {
  if (fault.field === '') return faultWords(fault);
  const [, rest] = /^items\[\d+\]\.?(.*)$/.exec(fault.field) ?? [];
  return fault.sku === undefined || rest === undefined
    ? `${fault.field} ${faultWords(fault)}`
    : `${fault.sku}: ${rest} ${faultWords(fault)}`;
}
