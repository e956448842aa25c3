import { DomainError } from '../../platform/errors/domain-error.js';
import type { Minor } from '../../platform/money/money.js';
import type { Rate } from './tax.js';

/** The line that stands for the delivery charge. */
const DELIVERY_LINE = 0;

/** A line of an order. `hsn` and `rate` are those of the product today. */
export interface BilledLine {
  line: number;
  sku: string;
  name: string;
  variation: string | null;
  unitPrice: Minor;
  quantity: number;
  /** Units that will never leave. */
  cancelled: number;
  hsn: string;
  rate: Rate | null;
  unit: string;
}

/** What an order tells for its documents. */
export interface BilledOrder {
  delivery: Minor;
  lines: readonly BilledLine[];
  /** The parcel that leaves now. */
  parcel?: { parcel: number; units: readonly { line: number; quantity: number }[] };
  /** The refund that is made now. */
  refund?: { refund: number };
  /**
   * All refunds so far, those of cancelled lines too, by lines. Line 0 is the delivery, null an amount
   * without a line. They add up to the refunded amount of the order.
   */
  refunded: readonly { refund: number; line: number | null; amount: Minor }[];
}

export interface InvoiceItem {
  line: number;
  description: string;
  sku: string;
  hsn: string;
  unit: string;
  quantity: number;
  unitPrice: Minor;
  rate: Rate;
  gross: Minor;
}

type TaxedLine = BilledLine & { rate: Rate };

/**
 * The units of the parcel. The first one also bills the delivery, with the rate and the HSN code of its line
 * with the highest rate. Refuses products without an HSN code or a rate.
 */
export function itemsOfParcel({ lines, delivery, parcel }: BilledOrder): InvoiceItem[] {
  const { parcel: number, units } = parcel!;
  const billsDelivery = number === 1 && delivery > 0;
  const taxed = lines.filter(({ line }) => units.some((unit) => unit.line === line));
  refuseUntaxed(taxed);
  const items = units.map(({ line, quantity }): InvoiceItem => {
    const { sku, name, variation, hsn, unit, unitPrice, rate } = taxed.find((one) => one.line === line)!;
    const description = variation ? `${name}, ${variation}` : name;
    return { line, description, sku, hsn, unit, quantity, unitPrice, rate, gross: quantity * unitPrice };
  });
  if (billsDelivery) {
    const { hsn, rate } = taxed.reduce((highest, line) => (line.rate > highest.rate ? line : highest));
    items.push({
      line: DELIVERY_LINE,
      description: 'Delivery',
      sku: '',
      hsn,
      unit: '',
      quantity: 1,
      unitPrice: delivery,
      rate,
      gross: delivery,
    });
  }
  return items;
}

function refuseUntaxed(lines: readonly BilledLine[]): asserts lines is TaxedLine[] {
  const untaxed = new Set(lines.filter(({ hsn, rate }) => hsn === '' || rate === null).map(({ sku }) => sku));
  if (untaxed.size === 0) return;
  throw new DomainError(
    'conflict',
    `An invoice needs the HSN code and the GST rate of ${[...untaxed].join(', ')}. ` +
      'Staff can set them on the page of the product, or with a catalog file.',
  );
}

/** An item of an issued invoice, with the amount of it that was credited. */
export interface InvoicedItem {
  line: number;
  unitPrice: Minor;
  gross: Minor;
  credited: Minor;
}

/** `quantity` is 0 for a price reduction. */
export interface Credit<Item> {
  item: Item;
  quantity: number;
  amount: Minor;
}

/**
 * The credits that the refunds of an order still need, first for the lines that the refunds name, the refund
 * of this moment before older ones. The rest is spread over all items. Never more than was invoiced.
 */
export function creditsDue<Item extends InvoicedItem>(
  order: BilledOrder,
  items: readonly Item[],
): Credit<Item>[] {
  let left = amountDue(order, items);
  const credits = items.map((item) => ({ item, named: 0, spread: 0 }));
  const give = (line: number | null, amount: Minor) => {
    for (const credit of credits.filter(({ item }) => item.line === line)) {
      const given = Math.max(0, Math.min(amount, left, roomOf(credit)));
      credit.named += given;
      amount -= given;
      left -= given;
    }
  };
  for (const { refund, line, amount } of order.refunded)
    if (refund === order.refund?.refund) give(line, amount);
  for (const { line, refunded } of accountsOf(order)) {
    const own = credits.filter(({ item }) => item.line === line);
    give(line, refunded - sum(own, ({ item, named }) => item.credited + named));
  }
  const shares = spread(left, credits.map(roomOf));
  return credits.flatMap(({ item, named }, at) => {
    const amount = named + shares[at]!;
    const isWhole = shares[at] === 0 && amount % item.unitPrice === 0;
    return amount > 0 ? [{ item, amount, quantity: isWhole ? amount / item.unitPrice : 0 }] : [];
  });
}

function roomOf({ item, named }: { item: InvoicedItem; named: Minor }): Minor {
  return item.gross - item.credited - named;
}

/**
 * Cancelled units were never invoiced, so their refunds need no credit. Neither do refunds of units that
 * have not left: they wait until the units are invoiced or cancelled.
 */
function amountDue(order: BilledOrder, items: readonly InvoicedItem[]): Minor {
  const accounts = accountsOf(order);
  const waiting = sum(accounts, ({ line, refunded }) => {
    const invoiced = sum(items, (item) => (item.line === line ? item.gross : 0));
    return Math.max(0, refunded - invoiced);
  });
  const cancelled = sum(order.lines, ({ cancelled: units, unitPrice }) => units * unitPrice);
  const due = sum(order.refunded, ({ amount }) => amount) - cancelled - waiting;
  const invoiced = sum(items, ({ gross }) => gross);
  return Math.max(0, Math.min(due, invoiced) - sum(items, ({ credited }) => credited));
}

/** What was refunded for the delivery and for the units of each line that are not cancelled. */
function accountsOf({ lines, refunded }: BilledOrder) {
  const named = (line: number) => sum(refunded, (one) => (one.line === line ? one.amount : 0));
  return [
    { line: DELIVERY_LINE, refunded: named(DELIVERY_LINE) },
    ...lines.map(({ line, unitPrice, cancelled }) => ({
      line,
      refunded: named(line) - cancelled * unitPrice,
    })),
  ];
}

/** Shares in proportion to the rooms, by the method of the largest remainder. */
function spread(amount: Minor, rooms: readonly Minor[]): Minor[] {
  const whole = BigInt(sum(rooms, (room) => room));
  if (amount === 0) return rooms.map(() => 0);
  const exact = rooms.map((room) => BigInt(amount) * BigInt(room));
  const shares = exact.map((share) => Number(share / whole));
  const byRemainder = exact
    .map((share, at) => ({ at, remainder: share % whole }))
    .sort((a, b) => Number(b.remainder - a.remainder));
  const rest = amount - sum(shares, (share) => share);
  for (const { at } of byRemainder.slice(0, rest)) shares[at]! += 1;
  return shares;
}

function sum<Thing>(things: readonly Thing[], amountOf: (thing: Thing) => Minor): Minor {
  return things.reduce((total, thing) => total + amountOf(thing), 0);
}
