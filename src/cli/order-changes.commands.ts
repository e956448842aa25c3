import { Option } from 'commander';
import type { OrderAction } from '../modules/orders/actions/order-action.js';
import {
  cancel,
  changeDelivery,
  correctShipment,
  deliver,
  invoiceFirst,
  pay,
  refund,
  reissue,
  ship,
  takeBack,
  undeliver,
  unpay,
  withdraw,
} from '../modules/orders/actions/order-actions.js';
import {
  DELIVERY_NAMES,
  orderField,
  TOP_LEVEL_NAMES,
  ORDER_FIELDS,
  shortName,
} from '../modules/orders/rules/order-fields.js';
import type { NamedDelivery } from '../modules/orders/actions/change-delivery.js';
import { formatMetadata } from '../modules/orders/rules/order-metadata.js';
import { formatLineQuantities, parseLineQuantities } from '../modules/orders/rules/order-units.js';
import { LATE_NOTICE, lateReturn } from '../modules/invoices/rules/law-time-zone.js';
import { NOTE_REASONS } from '../modules/invoices/rules/note-reasons.js';
import {
  NO_INVOICE_REASONS,
  UNBILLED_DELIVERY,
  unbilledDelivery,
} from '../modules/invoices/rules/no-invoice.js';
import type { OrderOutput } from '../modules/orders/records/order-for-file.js';
import { plainTime, type TimeZone } from '../platform/time/time.js';
import { type CommandAnswer, table } from './answer.js';
import { type CliCommand, CLIENT_NAME, Deferred, readId, readStart } from './command.js';

export function addOrderChanges(order: CliCommand): void {
  const change = ({ name, sentence }: Pick<OrderAction<unknown>, 'name' | 'sentence'>) =>
    withOrderNumber(order.add(name, sentence)).by();

  change(pay)
    .option('--method <text>', 'how, such as wallet or bank transfer')
    .option('--reference <text>', 'the number of the payment')
    .option('--force', ACCEPT_REFERENCE)
    .does(async ({ orders }, number, { by, method, reference, force }) =>
      answerWith(
        await orders.act(number, by, pay.change({ method, reference, acceptedUses: force && 'any' })),
      ),
    );

  change(unpay)
    .requiredOption('--reason <text>', 'the reason, which the client can read')
    .does(async ({ orders }, number, { by, reason }) => {
      const { packing_list: list } = await orders.show(number);
      const unpaid = await orders.act(number, by, unpay.change({ reason }));
      const isOverdue = new Date(unpaid.payment.due_at) <= new Date();
      return answerWith(
        unpaid,
        (list === null ? '' : `The order was on packing list ${list}: do not pack it.\n\n`) +
          (isOverdue ? 'The time to pay it is over, so it expires soon.\n\n' : ''),
      );
    });

  withShipmentOptions(change(ship))
    .requiredOption('--courier <name>', 'the courier', trim)
    .option(LINE, 'only these units of a line, such as 1=2; repeat it for more lines', readLines)
    .addOption<{ invoice: true | string }>(
      new Option(
        '--no-invoice <reason>',
        `without an invoice, because of: ${Object.keys(NO_INVOICE_REASONS).join(', ')}; more text may follow`,
      ),
    )
    .option(
      '--without-irn <reason>',
      'the reason to ship it before its invoice has an IRN; the parcel keeps it',
    )
    .option('--old-slip', 'confirm the parcel of an order that was changed after its slip was printed')
    .does(
      async (
        { orders, sellers, eWayBills },
        number,
        { by, courier, line, invoice, force, oldSlip, withoutIrn, ...tracked },
      ) => {
        const waiver = invoice === true ? undefined : invoice;
        const { trackingNumber = '', trackingUrl = '', shippedAt = null } = tracked;
        const tracking = { trackingNumber: trackingNumber || null, trackingUrl: trackingUrl || null };
        const shipment = {
          courier,
          ...tracking,
          shippedAt,
          sharedWithOrders: force ? ('any' as const) : undefined,
        };
        const lines = line && parseLineQuantities(line);
        const input = { ...shipment, lines, noInvoice: waiver, oldSlip, withoutIrn };
        const shipped = await orders.act(number, by, ship.change(input));
        const month = shippedAt && waiver === undefined && lateReturn(shippedAt);
        const late =
          month && (await sellers.isTaxOn()) ? `The time of shipping ${LATE_NOTICE} ${month}.\n\n` : '';
        const bills = await eWayBills.ofOrder(shipped.client_id, shipped.order_number);
        const missing = bills.filter(({ isMissing }) => isMissing);
        const moving = missing.map((bill) => `${bill.number} needs an e-way bill before its goods move.\n\n`);
        return answerWith(shipped, late + moving.join(''));
      },
    );

  change(invoiceFirst)
    .option(LINE, 'only these units of a line, such as 1=2; repeat it for more lines', readLines)
    .does(async ({ orders }, number, { by, line }) =>
      answerWith(
        await orders.act(number, by, invoiceFirst.change({ lines: line && parseLineQuantities(line) })),
      ),
    );

  withShipmentOptions(change(correctShipment))
    .option('--courier <name>', 'the courier', trim)
    .option('--parcel <number>', 'the number of the parcel in its order (the newest)', readId)
    .does(async ({ orders }, number, { by, parcel, force, ...typed }) => {
      const { courier, trackingNumber, trackingUrl, shippedAt } = typed;
      const corrected = {
        ...(courier !== undefined && { courier }),
        ...(trackingNumber !== undefined && { trackingNumber: trackingNumber || null }),
        ...(trackingUrl !== undefined && { trackingUrl: trackingUrl || null }),
        ...(shippedAt !== undefined && { shippedAt }),
      };
      const sharedWithOrders = force ? ('any' as const) : undefined;
      const input = { ...corrected, parcel, sharedWithOrders };
      const changed = await orders.act(number, by, correctShipment.change(input));
      const wrong = shippedAt === undefined ? [] : await orders.invoicesWithOtherRates(number, parcel);
      const advice = wrong.map(
        (invoice) => `${invoice} has the GST rate of another day. Issue it again: "order reissue".\n\n`,
      );
      return answerWith(changed, advice.join(''));
    });

  const address = change(changeDelivery);
  for (const name of DELIVERY_NAMES)
    address.option(`--${shortName(name)} <text>`, `the recipient: ${orderField(name).label}`);
  address
    .addOption<NamedDelivery & { reason?: string }>(
      new Option('--reason <text>', 'the reason, kept in the history; needed for another name'),
    )
    .does(async ({ orders }, number, { by, clientId, ...input }) =>
      answerWithReprint(await orders.act(number, by, changeDelivery.change(input))),
    );

  change(deliver)
    .option('--parcel <number>', 'only the parcel with this number in its order', readId)
    .does(async ({ orders }, number, { by, parcel }) =>
      answerWith(await orders.act(number, by, deliver.change({ parcel }))),
    );

  for (const action of [withdraw, undeliver, reissue])
    change(action)
      .option('--parcel <number>', 'the number of the parcel in its order (the newest)', readId)
      .requiredOption('--reason <text>', 'the reason, which the client can read')
      .does(async ({ orders }, number, { by, parcel, reason }) =>
        answerWith(await orders.act(number, by, action.change({ parcel, reason }))),
      );

  change(cancel)
    .option(LINE, 'only these units of a line of a paid order, such as 1=2; needs --reason', readLines)
    .option(
      '--write-off <line=units>',
      'cancelled units that are not for sale again; needs --reason',
      readLines,
    )
    .option('--reason <text>', 'the reason, which the store can read')
    .option('--key <text>', KEY)
    .does(async ({ orders }, number, { by, line, writeOff, reason, key }) => {
      const lines = line && parseLineQuantities(line);
      const writtenOff = writeOff && parseLineQuantities(writeOff);
      return answerWithReprint(
        await orders.act(number, by, cancel.change({ lines, writtenOff, reason, key })),
      );
    });

  change(refund)
    .option(LINE, 'the price of these units of a line, such as 1=2; repeat it for more lines', readLines)
    .option('--delivery', 'the delivery charge')
    .option('--amount <amount>', 'an amount such as 100.00')
    .requiredOption('--reason <text>', 'the reason, which the client can read')
    .option('--reason-code <code>', `the code on the credit note (by the kind of refund): ${REASON_CODES}`)
    .option('--commercial', 'the credit note of an amount changes no tax; otherwise it lowers the tax')
    .option('--key <text>', KEY)
    .does(async ({ orders }, number, { by, line, clientId, ...request }) => {
      const input = { ...request, lines: line && parseLineQuantities(line) };
      return answerWith(await orders.act(number, by, refund.change(input)));
    });

  change(takeBack)
    .requiredOption('--refund <number>', 'the number of the refund in its order', readId)
    .option('--amount <amount>', 'a part of a refund of an amount, such as 100.00 (all that is left)')
    .requiredOption('--reason <text>', 'the reason, which the client can read')
    .option('--key <text>', KEY)
    .does(async ({ orders }, number, { by, clientId, ...request }) =>
      answerWith(await orders.act(number, by, takeBack.change(request))),
    );
}

const REASON_CODES = Object.entries(NOTE_REASONS)
  .map(([code, meaning]) => `${code} ${meaning.toLowerCase()}`)
  .join(', ');

export const ACCEPT_REFERENCE = 'accept a reference that is recorded already: this is other money';
export const ACCEPT_SHARED = 'accept the tracking number of another order: one parcel holds both orders';
export const LINE = '--line <line=units>';
export const KEY = 'a repeated command changes nothing, unless it has another key';

/** Several such options form one list. */
export function readLines(text: string, before: string[] = []): string[] {
  return [...before, text];
}

const trim = (text: string) => text.trim();

function withShipmentOptions<Args extends unknown[], Options>(command: CliCommand<Args, Options>) {
  return command
    .option('--tracking-number <number>', 'the number of the parcel; an empty text is none', trim)
    .option('--tracking-url <address>', 'the tracking page for the customer; an empty text is none', trim)
    .option('--shipped-at <time>', 'when (now, for a new shipment)', readStart)
    .option('--force', ACCEPT_SHARED);
}

export const readNumber = (name: string) =>
  new Deferred(({ orders }, { clientId }) => orders.numberOf(name, clientId as number | undefined));

export const readNumbers = (name: string, before: Deferred<string>[] = []) => [...before, readNumber(name)];

/** Adds the argument for an order. The command gets its order number. */
export function withOrderNumber<Read = Deferred<string>>(
  command: CliCommand,
  syntax = '<number>',
  read = readNumber as (name: string, before?: never) => Read,
) {
  return command
    .argument(syntax as '<number>', "the order number, also as pages shorten it, or the store's own id", read)
    .ofClient(`the client of the order, if two have its id: ${CLIENT_NAME}`);
}

export function answerWith(order: OrderOutput, warning = ''): CommandAnswer {
  return { json: order, text: (zone) => warning + describeOrder(order, zone) };
}

const answerWithReprint = (order: OrderOutput) => answerWith(order, reprintNotice(order));

/** A warning: a printed slip does not change with its order. */
function reprintNotice({ order_number: number, packing_list: list, status }: OrderOutput): string {
  if (list === null) return '';
  if (status === 'cancelled') return `The order is on packing list ${list}, and must not be packed.\n\n`;
  const command = `packing show ${list} --order ${number} --pdf <file.pdf>`;
  return `The order is on packing list ${list}. Print its slip again: ${command}\n\n`;
}

function describeOrder(order: OrderOutput, timeZone: TimeZone): string {
  const time = (iso: string | null) => iso && plainTime(new Date(iso), timeZone);
  const { customer, shipping, payment, tracking, prepared } = order;
  const left = order.parcels.map(({ lines, no_invoice: noInvoice }) => ({ lines, noInvoice }));
  const unbilled = unbilledDelivery(order, left);
  const facts: [string, string | null][] = [
    ['Order', `${order.order_number} of ${order.client} (client ${order.client_id})`],
    ["The store's id", joinParts(order.store_order_id, order.domain)],
    ['Status', `${order.status}, ${order.payment_status}`],
    ['Cancelled because', order.cancel_reason],
    ['Paid', joinParts(time(payment.paid_at), payment.method, payment.reference)],
    ['Customer', joinParts(...Object.values(customer))],
    ['Ship to', joinParts(...Object.values(shipping))],
    ...TOP_LEVEL_NAMES.map((name): [string, string | null] => [
      ORDER_FIELDS[name].label,
      order[shortName(name)],
    ]),
    ['Metadata', formatMetadata(order).join(', ')],
    ['Packing list', order.packing_list === null ? null : String(order.packing_list)],
    [
      'Shipped',
      tracking &&
        joinParts(
          time(tracking.shipped_at),
          tracking.courier,
          tracking.tracking_number,
          tracking.tracking_url,
        ),
    ],
    ['Invoiced, and still here', prepared && describePrepared(prepared)],
    ['Total', `${order.total} ${order.currency} (goods ${order.subtotal}, delivery ${order.delivery})`],
    ['Delivery charge', unbilled ? UNBILLED_DELIVERY[unbilled] : null],
    ['Refunded', order.refunded_amount > 0 ? `${order.refunded_amount} ${order.currency}` : null],
  ];
  const filled = facts.filter(([, value]) => value !== null && value !== '');
  const lines = filled
    .map(([name, value]) => `${name}: ${String(value).replace(/[\t\r\n]+/g, ' ')}\n`)
    .join('');
  const items = table(
    order.items.map(({ shipped, cancelled, refunded, returned, ...item }) => ({
      ...item,
      units: unitsOf({ shipped, cancelled, refunded, returned }),
    })),
    ['line', 'sku', 'name', 'variation', 'quantity', 'unit_price', 'line_total', 'units'],
  );
  const parcels = order.parcels.map(({ exception = null, ...parcel }) => ({
    ...parcel,
    exception,
    lines: formatLineQuantities(parcel.lines),
  }));
  const rareColumns = (['without_irn', 'exception'] as const).filter((column) =>
    parcels.some((one) => one[column] !== null),
  );
  const returns = order.returns.map((one) => ({ ...one, lines: formatLineQuantities(one.lines) }));
  const isSplit =
    parcels.length > 1 ||
    order.status === 'pending' ||
    rareColumns.length > 0 ||
    parcels.some(({ no_invoice }) => no_invoice !== null);
  const tables = [
    tableIfAny(isSplit ? parcels : [], [...PARCEL, ...rareColumns], timeZone),
    tableIfAny(returns, RETURN, timeZone),
    tableIfAny(order.refunds, REFUND, timeZone),
  ];
  const timeline = table(timelineRows(order, timeZone), ['status', 'changed_at', 'actor', 'note'], timeZone);
  return [lines, items, ...tables.filter((one) => one !== ''), timeline].join('\n');
}

function describePrepared({ parcel, lines, awaits_irn }: NonNullable<OrderOutput['prepared']>): string {
  const state = awaits_irn ? 'waits for its IRN' : 'may leave';
  return `parcel ${parcel} (${formatLineQuantities(lines)}) ${state}`;
}

const PARCEL = ['parcel', 'courier', 'tracking_number', 'shipped_at', 'delivered_at', 'no_invoice', 'lines'];
const RETURN = ['number', 'state', 'lines', 'reason', 'requested_at', 'decision', 'refunded'];
const REFUND = ['refund', 'kind', 'takes_back', 'amount', 'reason', 'return_number', 'refunded_at', 'by'];

function tableIfAny(rows: readonly object[], columns: string[], timeZone: TimeZone): string {
  const inTime = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        name.endsWith('_at') && value !== null ? new Date(value as string) : (value as unknown),
      ]),
    ),
  );
  return rows.length === 0 ? '' : table(inTime, columns, timeZone);
}

/** Such as "2 shipped, 1 returned". */
function unitsOf(counts: Record<string, number>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

/** Corrections stand between the statuses, with the old and the new values. */
function timelineRows({ timeline, changes }: OrderOutput, timeZone: TimeZone) {
  const formatValue = (value: string | null | undefined, field: string) =>
    value && field.endsWith('_at') ? plainTime(new Date(value), timeZone) : (value ?? '-');
  const corrected = changes.map(({ changed_at, actor, before, after, reason }) => ({
    status: '(corrected)',
    changed_at,
    actor,
    note: Object.keys(after)
      .map((field) => {
        const name = field.replaceAll('_', ' ');
        return `${name}: ${formatValue(before[field], field)} → ${formatValue(after[field], field)}`;
      })
      .concat(reason === null ? [] : [`because: ${reason}`])
      .join('; '),
  }));
  return [...timeline, ...corrected]
    .map(({ changed_at, ...entry }) => ({ ...entry, changed_at: new Date(changed_at) }))
    .toSorted((a, b) => a.changed_at.getTime() - b.changed_at.getTime());
}

function joinParts(...parts: (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(', ');
}
