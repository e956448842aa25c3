import { groupBy, sum, sumBy } from '../../../platform/lists/group-by.js';
import type { Minor } from '../../../platform/money/money.js';
import { Allotment } from './allotment.js';
import { type BilledOrder, DELIVERY_LINE } from './billing.js';

// Each function passes a fixed number of times over its facts: an order may have hundreds of refunds.

/** An item of an issued invoice. */
export interface InvoicedItem {
  line: number;
  quantity: number;
  gross: Minor;
  /**
   * What notes credited, or debited if negative. Notes at a dispatch named no refund in 1.0.0. Late notes and
   * commercial ones are untaxed. The quantity is 0 for a price reduction.
   */
  credits: readonly Credit[];
}

interface Credit {
  refund: number | null;
  isUntaxed: boolean;
  isCommercial?: boolean;
  quantity: number;
  amount: Minor;
}

/** The amount of an item that was credited and not debited again. */
export const creditedOf = ({ credits }: Pick<InvoicedItem, 'credits'>): Minor =>
  sum(credits, ({ amount }) => amount);

/** The part of it that changed tax. */
export const taxedCreditOf = ({ credits }: Pick<InvoicedItem, 'credits'>): Minor =>
  sum(credits, ({ amount, isUntaxed }) => (isUntaxed ? 0 : amount));

const commercialCreditOf = ({ credits }: Pick<InvoicedItem, 'credits'>): Minor =>
  sum(credits, ({ amount, isCommercial }) => (isCommercial ? amount : 0));

const ordinaryCreditOf = (item: Pick<InvoicedItem, 'credits'>): Minor =>
  creditedOf(item) - commercialCreditOf(item);

/** The units that were credited and not debited again. */
export const creditedUnits = ({ credits }: Pick<InvoicedItem, 'credits'>): number =>
  Math.max(
    0,
    sum(credits, ({ quantity }) => quantity),
  );

/** A credit or a debit of an item. `quantity` is 0 for a price reduction. */
export interface ItemChange<Item> {
  item: Item;
  quantity: number;
  amount: Minor;
}

/** A commercial credit changes no tax. A debit does if the credits that it takes back did. */
export type RefundChange<Item> = ItemChange<Item> & Pick<Credit, 'refund' | 'isUntaxed' | 'isCommercial'>;

/** An item of an invoice that is issued again, and the one that it replaces. */
export interface ReplacedItem<Item> {
  item: Item;
  replaced: Pick<InvoicedItem, 'credits'>;
}

/**
 * The credits that the refunds of an order still need, after those that an invoice issued again keeps and the
 * commercial debits. First come the lines that the refunds name, the refund of this moment before older ones.
 * The rest is spread over all items. Never more than was invoiced.
 */
export function creditsDue<Item extends InvoicedItem>(
  order: BilledOrder,
  all: readonly Item[],
  kept: readonly RefundChange<Item>[] = [],
): RefundChange<Item>[] {
  const debits = [...commercialDebits(order, all), ...debitsDue(order, all)];
  const changes = groupBy(
    [...kept, ...debits.map((one) => ({ ...one, quantity: 0, amount: -one.amount }))],
    ({ item }) => item,
  );
  const items = all.map((item) => {
    const own = changes.get(item) ?? [];
    const credits = [...item.credits, ...own.map((one) => ({ isCommercial: one.isUntaxed, ...one }))];
    const { line, quantity, gross } = item;
    return { item, line, quantity, gross, credits, room: gross - creditedOf({ credits }) };
  });
  const due = Math.max(0, totalCredit(order, items) - sum(items, creditedOf));
  const ordinary = sumBy(items, lineOf, ordinaryCreditOf);
  const allotment = new Allotment(items, Math.max(0, Math.min(due, lackOf(order, items, false))));
  allotment.setCapacities(({ room }) => room);
  for (const { line, amount } of currentRefund(order)) allotment.allot(line, amount);
  for (const { line, refunded } of refundedByLine(order))
    allotment.allot(line, refunded - ordinary(line) - allotment.allottedTo(line));
  allotment.spread();
  const taxed = allotment.amounts();
  const taxedAmount = sumBy(taxed, ({ item }) => item, amountOf);
  const rest = new Allotment(items, due - sum(taxed, amountOf));
  rest.setCapacities((item) => item.room - taxedAmount(item));
  rest.spread();
  const splitByRefund = refundSplitter(order, items);
  const named = (credits: typeof taxed, isUntaxed: boolean) =>
    credits.flatMap(({ item, amount }) =>
      splitByRefund(item, amount, isUntaxed).map((one) => ({ ...one, item: item.item, isUntaxed })),
    );
  return [...kept, ...named(taxed, false), ...named(rest.amounts(), true)];
}

/**
 * Splits a credit by the refunds of its kind, commercial or not, that lack it: first those of its line, with
 * their units, then those without a line. Each time the one of this moment comes first, then the oldest.
 */
function refundSplitter(order: BilledOrder, items: readonly InvoicedItem[]) {
  const lacks = lacksOf(order);
  const isCurrent = ({ refund }: Lack) => refund === order.refund?.refund;
  const ofRefunds = new Map(
    [...groupBy(lacks, ({ refund }) => refund)].map(([refund, own]) => [refund, new LackQueue(own)]),
  );
  const originalOf = originalsOf(order);
  const unnamed = items.map(({ line, credits }) => {
    const byRefund = groupBy(credits, originalOf);
    for (const [refund, own] of byRefund) ofRefunds.get(refund!)?.takeCredits(line, own);
    return { line, credits: byRefund.get(null) ?? [] };
  });
  const [ordinary, commercial] = [false, true].map((kind) => {
    const isOfKind = ({ isCommercial = false }: { isCommercial?: boolean }) => isCommercial === kind;
    const older = lacks.filter((one) => isOfKind(one) && !isCurrent(one));
    // Notes at a dispatch named none in 1.0.0: they were of refunds before this one.
    const queue = new LackQueue(older);
    for (const { line, credits } of unnamed) queue.takeCredits(line, credits.filter(isOfKind));
    return new LackQueue([...lacks.filter((one) => isOfKind(one) && isCurrent(one)), ...older]);
  });
  return (item: InvoicedItem, amount: Minor, isCommercial: boolean) =>
    (isCommercial ? commercial : ordinary)!.take(item.line, amount, item.quantity - creditedUnits(item));
}

/** What a refund gives for a line and notes have not credited yet. */
interface Lack {
  refund: number;
  line: number | null;
  isCommercial: boolean;
  amount: Minor;
  units: number;
}

function lacksOf({ refunded }: BilledOrder): Lack[] {
  const keyOf = (refund: number, line: number | null) => `${refund} ${line}`;
  const partKey = ({ of, line }: (typeof refunded)[number]) => keyOf(of, line);
  const amounts = sumBy(refunded, partKey, amountOf);
  const units = sumBy(refunded, partKey, (part) => part.units ?? 0);
  return refunded
    .filter(({ isCancelled }) => !isCancelled)
    .map(({ refund, line, isCommercial = false }) => {
      const key = keyOf(refund, line);
      const own = line === DELIVERY_LINE ? Infinity : units(key);
      return { refund, line, isCommercial, amount: amounts(key), units: own };
    });
}

/** Takes credits from lacks: from those of the line, then from those without a line, then from others. */
class LackQueue {
  private readonly open: Set<Lack>;
  private readonly byLine: ReadonlyMap<number | null, Set<Lack>>;

  constructor(lacks: readonly Lack[]) {
    const open = lacks.filter(({ amount }) => amount > 0);
    this.open = new Set(open);
    this.byLine = new Map([...groupBy(open, lineOf)].map(([line, own]) => [line, new Set(own)]));
  }

  takeCredits(number: number, credits: readonly Credit[]): void {
    this.take(number, creditedOf({ credits }), creditedUnits({ credits }));
  }

  take(number: number, amount: Minor, quantity: number) {
    const parts: Pick<Credit, 'refund' | 'amount' | 'quantity'>[] = [];
    for (const lacks of [this.byLine.get(number), this.byLine.get(null), this.open])
      for (const lack of lacks ?? []) {
        if (amount <= 0) return parts;
        const part = Math.min(amount, lack.amount);
        const own = lack.line === number ? Math.min(quantity, lack.units) : 0;
        lack.amount -= part;
        lack.units -= own;
        amount -= part;
        quantity -= own;
        parts.push({ refund: lack.refund, amount: part, quantity: own });
        if (lack.amount > 0) continue;
        this.open.delete(lack);
        this.byLine.get(lack.line)!.delete(lack);
      }
    return amount > 0 ? [...parts, { refund: null, amount, quantity: 0 }] : parts;
  }
}

/** The refund that a credit is of. Debits are of the refund that they take back. */
function originalsOf({ refunded }: Pick<BilledOrder, 'refunded'>) {
  const originals = new Map<number | null, number>(refunded.map(({ refund, of }) => [refund, of]));
  return ({ refund }: Credit) => originals.get(refund) ?? null;
}

/** What notes lack of the commercial refunds, or of the others. Less than 0 if they credit too much. */
function lackOf(order: BilledOrder, items: readonly InvoicedItem[], isCommercial: boolean): Minor {
  const refunded = order.refunded.filter((one) => (one.isCommercial ?? false) === isCommercial);
  if (isCommercial) return sum(refunded, amountOf) - sum(items, commercialCreditOf);
  return Math.max(0, dueOf({ ...order, refunded }, items)) - sum(items, ordinaryCreditOf);
}

/** The newest commercial refund. Its notes may move to other lines or invoices. */
export const commercialRefundOf = ({ refunded }: BilledOrder): number | null =>
  refunded.findLast(({ isCommercial = false }) => isCommercial)?.of ?? null;

/**
 * The credits that an invoice keeps when it is issued again, by refund: taxed ones first, within the amounts
 * of the replaced item and of the new one.
 */
export function keptCredits<Item extends InvoicedItem>(
  order: BilledOrder,
  again: readonly ReplacedItem<Item>[],
): RefundChange<Item>[] {
  const kept: RefundChange<Item>[] = [];
  const rooms = new Map(again.map(({ item }) => [item, item.gross]));
  const originalOf = originalsOf(order);
  for (const isUntaxed of [false, true])
    for (const { item, replaced } of again) {
      const credits = replaced.credits.filter((one) => one.isUntaxed === isUntaxed);
      let [left, unitsLeft] = [creditedOf({ credits }), creditedUnits({ credits })];
      for (const [refund, own] of groupBy(credits, originalOf)) {
        const room = rooms.get(item)!;
        const amount = Math.min(creditedOf({ credits: own }), left, room);
        if (amount <= 0) continue;
        const quantity = Math.min(creditedUnits({ credits: own }), unitsLeft);
        kept.push({ item, quantity, amount, refund, isUntaxed });
        rooms.set(item, room - amount);
        left -= amount;
        unitsLeft -= quantity;
      }
    }
  return kept;
}

/**
 * The commercial credits that give way, because the refund of this moment needs the whole amount of their
 * line. They are debited here and credited on other lines.
 */
export function commercialDebits<Item extends InvoicedItem>(
  order: BilledOrder,
  items: readonly Item[],
): RefundChange<Item>[] {
  const byLine = groupBy<Item, number | null>(items, lineOf);
  const originalOf = originalsOf(order);
  return currentRefund(order).flatMap(({ line, amount }) => {
    const own = byLine.get(line) ?? [];
    let lack = amount - sum(own, (item) => item.gross - creditedOf(item));
    return own.flatMap((item) => {
      const commercial = item.credits.filter((one) => one.isCommercial);
      let left = Math.max(0, Math.min(lack, creditedOf({ credits: commercial })));
      lack -= left;
      return [...groupBy(commercial, originalOf)].flatMap(([refund, credits]) => {
        const debited = Math.min(left, creditedOf({ credits }));
        if (debited <= 0) return [];
        left -= debited;
        const of = refund ?? commercialRefundOf(order);
        return [{ item, quantity: 0, amount: debited, refund: of, isUntaxed: true }];
      });
    });
  });
}

/**
 * The debits for a refund that is taken back now. They first use the credits of this refund, then credits
 * that name no refund (made with a later parcel, or issued again), then any credit: of its kind, commercial
 * or not, before the other. Each time the lines of the refund come first. Never more than was credited.
 */
export function debitsDue<Item extends InvoicedItem>(
  order: BilledOrder,
  items: readonly Item[],
): RefundChange<Item>[] {
  const current = currentRefund(order);
  let debits = current.map(({ line, amount }) => ({ line, amount: -amount }));
  const requested = sum(debits, amountOf);
  if (requested <= 0) return [];
  const own = current[0]!.of;
  const isCommercial = order.refunded.some(({ refund, isCommercial: is }) => refund === own && is);
  // Refunds of the other kind may wait for the room that this one leaves.
  const surplus = Math.max(
    sum(items, creditedOf) - totalCredit(order, items),
    -lackOf(order, items, isCommercial),
  );
  const originalOf = originalsOf(order);
  const pools = items.flatMap((item) => creditPools(item, own, originalOf));
  const allotment = new Allotment(pools, Math.max(0, Math.min(requested, surplus)));
  type Capacity = (pool: (typeof pools)[number]) => Minor;
  const ofAny: Capacity[] = [({ amount, ofOthers }) => amount - ofOthers, amountOf];
  const capacities: Capacity[] = [
    ({ amount, ofOwn }) => Math.min(amount, ofOwn),
    ...ofAny.map(
      (of): Capacity =>
        (pool) =>
          pool.isCommercial === isCommercial ? of(pool) : 0,
    ),
    ...ofAny,
  ];
  for (const capacity of capacities) {
    allotment.setCapacities(capacity);
    debits = debits.map((one) => ({ ...one, amount: allotment.allot(one.line, one.amount) }));
    allotment.spread();
  }
  const { refund } = order.refund!;
  const unitsTaken = sumBy(current, lineOf, ({ units = 0 }) => 0 - units);
  return allotment.amounts().map(({ item: { item, isUntaxed, isCommercial: is, ...pool }, amount }) => {
    const { ofOwn, unitsOfOwn, units } = pool;
    // A part of the credit may stay for other refunds of the line, with its units.
    const quantity =
      ofOwn > 0
        ? Math.floor((unitsOfOwn * Math.min(amount, ofOwn)) / ofOwn)
        : Math.min(unitsTaken(item.line), units);
    return { item, quantity, amount, refund, isUntaxed, ...(is && { isCommercial: true }) };
  });
}

/** Ordinary credits, late ones, and commercial ones. */
const CREDIT_KINDS = [
  { isUntaxed: false, isCommercial: false },
  { isUntaxed: true, isCommercial: false },
  { isUntaxed: true, isCommercial: true },
];

/** The credits of an item by their kind: how much is of the refund that is taken back, and of others. */
function creditPools<Item extends InvoicedItem>(
  item: Item,
  own: number,
  originalOf: ReturnType<typeof originalsOf>,
) {
  return CREDIT_KINDS.map((kind) => {
    const credits = item.credits.filter(
      (one) => one.isUntaxed === kind.isUntaxed && (one.isCommercial ?? false) === kind.isCommercial,
    );
    const byRefund = groupBy(credits, originalOf);
    const ofOwn = { credits: byRefund.get(own) ?? [] };
    const others = [...byRefund].filter(([refund]) => refund !== null && refund !== own);
    return {
      item,
      ...kind,
      line: item.line,
      amount: creditedOf({ credits }),
      units: creditedUnits({ credits }),
      ofOwn: creditedOf(ofOwn),
      unitsOfOwn: creditedUnits(ofOwn),
      ofOthers: sum(others, ([, some]) => Math.max(0, creditedOf({ credits: some }))),
    };
  });
}

function currentRefund({ refund: now, refunded }: BilledOrder) {
  return refunded.filter(({ refund }) => refund === now?.refund);
}

/**
 * The total that the refunds so far must credit. Cancelled units were never invoiced, so they need no credit.
 * Refunds of units that have not left wait until the units are invoiced or cancelled.
 */
function totalCredit(order: BilledOrder, items: readonly InvoicedItem[]): Minor {
  const invoiced = sum(items, ({ gross }) => gross);
  return Math.max(0, Math.min(dueOf(order, items), invoiced));
}

function dueOf(order: BilledOrder, items: readonly InvoicedItem[]): Minor {
  const invoiced = sumBy(items, lineOf, ({ gross }) => gross);
  const waiting = sum(refundedByLine(order), ({ line, refunded }) => Math.max(0, refunded - invoiced(line)));
  const cancelled = sum(order.lines, ({ cancelled: units, unitPrice }) => units * unitPrice);
  return sum(order.refunded, amountOf) - cancelled - waiting;
}

/** The refunded amounts of the delivery, and of the units of each line that are not cancelled. */
function refundedByLine({ lines, refunded }: BilledOrder) {
  const named = sumBy(refunded, lineOf, amountOf);
  return [
    { line: DELIVERY_LINE, refunded: named(DELIVERY_LINE) },
    ...lines.map(({ line, unitPrice, cancelled }) => ({
      line,
      refunded: named(line) - cancelled * unitPrice,
    })),
  ];
}

const amountOf = ({ amount }: { amount: Minor }): Minor => amount;

const lineOf = <Line>({ line }: { line: Line }): Line => line;
