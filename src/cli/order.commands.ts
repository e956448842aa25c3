import type { RefusedOrder } from '../modules/request-log/kept-requests/request-history.repository.js';
import { faultWords } from '../modules/request-log/rules/kept-parts.js';
import type { OrderExportRow } from '../modules/orders/records/order-desk.repository.js';
import type { TotalsPeriod } from '../modules/sales/sales.repository.js';
import { ORDER_STATUSES } from '../modules/orders/rules/order-transitions.js';
import { listAnswer } from './answer.js';
import { type CliCommand, readEnd, readStart, readWords } from './command.js';
import { addOutputOptions, exportRows } from './export-command.js';
import { addOrderChanges, answerWith, withOrderNumber } from './order-changes.commands.js';

const PERIODS: TotalsPeriod[] = ['day', 'month', 'year'];

export function addOrderCommands(program: CliCommand): void {
  const order = program.group('order', 'orders of all clients');

  withFilter(
    order
      .add('list', 'Lists orders, the newest first.')
      .withLimit()
      .choice(...STATUS),
  )
    .option(
      '--search <text>',
      "only orders with this number, store's id, or part of a name, phone, e-mail, city or AWB",
      readWords,
    )
    .does(async ({ orders }, { limit, since: from, ...filter }) => {
      const rows = await orders.list({ ...filter, from }, limit);
      return listAnswer(rows, 'No orders.', filter.search === undefined ? inList : inSearch);
    });

  withOrderNumber(order.add('show', 'Shows an order with its lines and its timeline.')).does(
    async ({ orders }, number) => answerWith(await orders.show(number)),
  );

  withFilter(
    addOutputOptions(
      order.add('export', 'Writes the lines of orders: a row for each, with address and shelf.'),
    ).requiredChoice(...STATUS, 'pending'),
  ).does(async ({ packing }, { output, excel, since: from, ...filter }) => {
    const { columns, rows } = await packing.exportOrders({ ...filter, from });
    return exportRows(columns, rows, { output, excel });
  });

  order
    .add('refused', 'Lists refused orders with the reasons.')
    .withLimit()
    .ofClient()
    .since('orders')
    .lists(
      'No refused orders.',
      ({ orders }, { limit, clientId, since: from }) => orders.refused({ clientId, from }, limit),
      inOneRow,
    );

  addOrderChanges(order);

  withFilter(
    addOutputOptions(
      order.add('sales-export', 'Writes the sales: a row for each line, with payments and refunds.'),
    ),
  ).does(async ({ sales }, { output, excel, since: from, ...filter }) => {
    const { columns, rows } = await sales.lines({ ...filter, from });
    return exportRows(columns, rows, { output, excel });
  });

  withFilter(
    order
      .add('totals', 'Adds up the orders of each client, by when they were placed.')
      .requiredChoice('--by <period>', 'the period of one sum', PERIODS, 'month'),
  ).lists('No orders.', ({ sales }, { by, since: from, ...filter }) => sales.totals({ ...filter, from }, by));
}

const STATUS = ['--status <status>', 'only orders with this status', ORDER_STATUSES] as const;

function withFilter<Options>(command: CliCommand<[], Options>) {
  return command
    .ofClient()
    .since('orders placed', '--from, --since <date>')
    .to('orders placed')
    .option('--paid-from <date>', 'only orders paid from this time on', readStart)
    .option('--paid-to <date>', 'only orders paid before this time; a date includes that day', readEnd)
    .option('--shipped-from <date>', 'only orders shipped from this time on', readStart)
    .option('--shipped-to <date>', 'only orders shipped before this time; a date includes that day', readEnd);
}

function inList({ currency, customer_name, city, tracking_number, domain, ...row }: OrderExportRow) {
  return row;
}

/** Shows the values that the search compares. */
function inSearch({
  order_number,
  client,
  store_order_id,
  status,
  total,
  placed_at,
  ...row
}: OrderExportRow) {
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

function inOneRow({ asked: items, reasons, ...row }: RefusedOrder) {
  return {
    ...row,
    asked: items.map(({ sku, quantity }) => `${sku ?? '?'} × ${quantity ?? '?'}`).join(', '),
    why: reasons.map(describeReason).join('; '),
  };
}

/** Names the SKU of a line instead of its position in the request. */
function describeReason(fault: RefusedOrder['reasons'][number]): string {
  if (fault.field === '') return faultWords(fault);
  const [, rest] = /^items\[\d+\]\.?(.*)$/.exec(fault.field) ?? [];
  return fault.sku === undefined || rest === undefined
    ? `${fault.field} ${faultWords(fault)}`
    : `${fault.sku}: ${rest} ${faultWords(fault)}`;
}
