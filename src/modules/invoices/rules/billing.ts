import { DomainError } from '../../../platform/errors/domain-error.js';
import type { Minor } from '../../../platform/money/money.js';
import { type GstTreatment, type LengthLaw, missingTaxData, treatmentAt } from '../../tax/goods-law.js';
import { isBilledElsewhere } from './no-invoice.js';
import type { Rate } from './tax.js';

/** The line that stands for the delivery charge. */
const DELIVERY_LINE = 0;

/** A line of an order, with the current HSN code and rate of its product. */
export interface BilledLine {
  line: number;
  sku: string;
  name: string;
  variation: string | null;
  unitPrice: Minor;
  quantity: number;
  /** Units that will never be shipped. */
  cancelled: number;
  hsn: string;
  rate: Rate | null;
  treatment: GstTreatment;
  unit: string;
}

/** The facts of an order that its documents need. */
export interface BilledOrder {
  delivery: Minor;
  lines: readonly BilledLine[];
  /** All units that left, by parcel, with the reason if it has no invoice. */
  left: readonly { parcel: number; noInvoice: string | null; line: number; quantity: number }[];
  /** The parcel that leaves now. */
  parcel?: { parcel: number; units: readonly { line: number; quantity: number }[] };
  /** The refund that is made or taken back now. */
  refund?: { refund: number };
  /**
   * All refunds so far by line, including cancelled lines. Line 0 is the delivery, null an amount without a
   * line. A negative amount takes the refund `of` back; otherwise `of` is the refund itself. The amounts add
   * up to the refunded amount of the order. A commercial one lowers no tax; no note names a cancelled one.
   */
  refunded: readonly {
    refund: number;
    of: number;
    line: number | null;
    amount: Minor;
    units?: number;
    isCommercial?: boolean;
    isCancelled?: boolean;
  }[];
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
  treatment: GstTreatment;
  gross: Minor;
}

type TaxedLine = BilledLine & { rate: Rate };

/** The units of the parcel. Refuses products without a rate, or with a short HSN code or none. */
export function goodsOfParcel({ lines, parcel }: BilledOrder, law: LengthLaw): InvoiceItem[] {
  const { units } = parcel!;
  const taxed = lines.filter(({ line }) => units.some((unit) => unit.line === line));
  refuseUntaxed(taxed, law);
  return units.map(({ line, quantity }): InvoiceItem => {
    const { sku, name, variation, hsn, unit, unitPrice, ...tax } = taxed.find((one) => one.line === line)!;
    const treatment = treatmentAt(tax.rate, tax.treatment);
    const description = variation ? `${name}, ${variation}` : name;
    const item = { line, description, sku, hsn, unit, quantity, unitPrice, rate: tax.rate, treatment };
    return { ...item, gross: quantity * unitPrice };
  });
}

/** An invoice in force of another parcel of the order. The amounts include later debits of the delivery. */
interface OtherInvoice<Item = Pick<InvoiceItem, 'line' | 'quantity' | 'unitPrice' | 'gross'>> {
  parcel: number | null;
  items: readonly Item[];
}

/**
 * The delivery in the invoice of the parcel: an item for each rate and treatment of its goods, with the HSN
 * code of the largest line. Each ordered unit has a share by its value, so neither the sequence nor the
 * number of parcels changes the tax. The last parcel also bills the shares of units that nothing else bills.
 */
export function deliveryItems(
  order: BilledOrder,
  goods: readonly InvoiceItem[],
  others: readonly OtherInvoice[],
): InvoiceItem[] {
  const due = deliveryDue(order, others);
  const isEarlier = invoicedBy(others);
  const isNow = (parcel: number) => isEarlier(parcel) || parcel === order.parcel!.parcel;
  const [before, now] = [isEarlier, isNow].map((isOf) => deliveryShares(order, ({ parcel }) => isOf(parcel)));
  const own = goods.map(({ line }) => now!.get(line)! - before!.get(line)!);
  const shares = spread(due, own.some((share) => share > 0) ? own : goods.map(({ gross }) => gross || 1));
  const taxOf = ({ rate, treatment }: InvoiceItem) => `${rate} ${treatment}`;
  return [...new Set(goods.map(taxOf))].flatMap((tax) => {
    const gross = sum(goods, (item) => (taxOf(item) === tax ? shares[goods.indexOf(item)]! : 0));
    const { hsn, rate, treatment } = goods
      .filter((item) => taxOf(item) === tax)
      .reduce((largest, item) => (item.gross > largest.gross ? item : largest));
    return gross > 0 ? [{ ...DELIVERY, hsn, unitPrice: gross, rate, treatment, gross }] : [];
  });
}

const DELIVERY = { line: DELIVERY_LINE, description: 'Delivery', sku: '', unit: '', quantity: 1 };

/** A debit note for the delivery changes an item of the delivery, or of goods if the invoice has no other. */
export function toDeliveryItem<Item extends InvoiceItem>(item: Item, gross: Minor): Item {
  return { ...item, ...DELIVERY, unitPrice: gross, gross };
}

/**
 * The delivery that no parcel can bill any more, because the last one left before the other units were
 * cancelled or left without an invoice. It is debited to the newest invoice (section 34(3)).
 */
export function deliveryDebits<Item extends InvoiceItem>(
  order: BilledOrder,
  invoices: readonly OtherInvoice<Item>[],
): { item: Item; amount: Minor }[] {
  const newest = Math.max(...invoices.map(({ parcel }) => parcel!));
  const items = invoices.filter(({ parcel }) => parcel === newest).flatMap((one) => one.items);
  if (!isComplete(order)) return [];
  const delivery = items.filter(({ line }) => line === DELIVERY_LINE);
  const debited = delivery.length > 0 ? delivery : items;
  const shares = spread(
    deliveryDue(order, invoices),
    debited.map(({ gross }) => gross || 1),
  );
  return debited.map((item, at) => ({ item, amount: shares[at]! })).filter(({ amount }) => amount > 0);
}

/** The delivery that must be billed by now, less what the other invoices bill. */
function deliveryDue(order: BilledOrder, others: readonly OtherInvoice[]): Minor {
  const isInvoiced = invoicedBy(others, order.parcel?.parcel);
  const isElsewhere = ({ parcel, noInvoice }: BilledOrder['left'][number]) =>
    !isInvoiced(parcel) && isBilledElsewhere(noInvoice);
  const shareOf = (isOf: Parameters<typeof deliveryShares>[1]) =>
    sum([...deliveryShares(order, isOf).values()], (share) => share);
  const isRefunded = sum(order.refunded, ({ line, amount }) => (line === DELIVERY_LINE ? amount : 0)) > 0;
  const due =
    isComplete(order) && !isRefunded
      ? order.delivery - shareOf(isElsewhere)
      : shareOf(({ parcel }) => isInvoiced(parcel));
  const billed = sum(
    others.flatMap(({ items }) => items),
    ({ line, gross, quantity, unitPrice }) => (line === DELIVERY_LINE ? gross : gross - quantity * unitPrice),
  );
  return Math.max(0, due - billed);
}

function invoicedBy(others: readonly Pick<OtherInvoice, 'parcel'>[], now?: number) {
  const parcels = new Set([...others.map(({ parcel }) => parcel), now]);
  return (parcel: number) => parcels.has(parcel);
}

/** Nothing of the order is left to ship. */
function isComplete({ lines, left }: BilledOrder): boolean {
  return lines.every(({ line, quantity, cancelled }) => quantity === cancelled + unitsOf(left, line));
}

/** The shares in the delivery of these units, by line. All units together have the whole delivery. */
function deliveryShares(
  { delivery, lines, left }: BilledOrder,
  isOf: (units: BilledOrder['left'][number]) => boolean,
): Map<number, Minor> {
  // A free unit has a share too, or nothing could be billed for an order of free units.
  const values = lines.map(({ quantity, unitPrice }) => quantity * Math.max(1, unitPrice));
  const shares = spread(delivery, values);
  const units = left.filter(isOf);
  return new Map(
    lines.map(({ line, quantity }, at) => [line, shareOfUnits(shares[at]!, unitsOf(units, line), quantity)]),
  );
}

const unitsOf = (units: BilledOrder['left'], number: number) =>
  sum(units, ({ line, quantity }) => (line === number ? quantity : 0));

/** Half up to the paisa. */
const shareOfUnits = (amount: Minor, units: number, ofUnits: number): Minor =>
  Number((2n * BigInt(amount) * BigInt(units) + BigInt(ofUnits)) / (2n * BigInt(ofUnits)));

/** The setting may ask for more digits than the products had when they were entered. */
function refuseUntaxed(lines: readonly BilledLine[], law: LengthLaw): asserts lines is TaxedLine[] {
  const missing = new Map(lines.map((line) => [line.sku, missingTaxData(line, law)]));
  const faults = [...missing]
    .filter(([, data]) => data !== undefined)
    .map(([sku, data]) => `${sku} (${data})`);
  if (faults.length === 0) return;
  throw new DomainError(
    'conflict',
    `An invoice needs more data of its products: ${faults.join(', ')}. ` +
      'Staff can set them on the page of the product, or with a catalog file.',
  );
}

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
  creditedOf({ credits: credits.filter(({ isUntaxed }) => !isUntaxed) });

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
  const changes = [...kept, ...debits.map((one) => ({ ...one, quantity: 0, amount: -one.amount }))];
  const items = all.map((item) => {
    const own = changes.filter((one) => one.item === item);
    const credits = [...item.credits, ...own.map((one) => ({ isCommercial: one.isUntaxed, ...one }))];
    return { item, line: item.line, quantity: item.quantity, gross: item.gross, credits };
  });
  const due = Math.max(0, totalCredit(order, items) - sum(items, creditedOf));
  const roomOf = (item: InvoicedItem) => item.gross - creditedOf(item);
  const allotment = new Allotment(items, Math.max(0, Math.min(due, lackOf(order, items, false))));
  allotment.setCapacities(roomOf);
  for (const { line, amount } of currentRefund(order)) allotment.allot(line, amount);
  for (const { line, refunded } of refundedByLine(order)) {
    const own = items.filter((item) => item.line === line);
    allotment.allot(line, refunded - sum(own, ordinaryCreditOf) - allotment.allottedTo(line));
  }
  allotment.spread();
  const taxed = allotment.amounts();
  const rest = new Allotment(items, due - sum(taxed, ({ amount }) => amount));
  rest.setCapacities((item) => roomOf(item) - sum(taxed, (one) => (one.item === item ? one.amount : 0)));
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
  const credited = items.flatMap(({ line, credits }) =>
    byRefund(order, credits).map((one) => ({ line, ...one })),
  );
  for (const { line, refund, credits } of credited)
    takeCredits(credits, line, (one) => one.refund === refund);
  // Notes at a dispatch named none in 1.0.0: they were of refunds before this one.
  for (const { line, credits } of credited.filter(({ refund }) => refund === null))
    for (const isCommercial of [false, true])
      takeCredits(
        credits.filter((one) => (one.isCommercial ?? false) === isCommercial),
        line,
        (one) => one.isCommercial === isCommercial && one.refund !== order.refund?.refund,
      );
  return (item: InvoicedItem, amount: Minor, isCommercial: boolean) => {
    const own = lacks.filter((one) => one.isCommercial === isCommercial);
    return take(own, item.line, amount, item.quantity - creditedUnits(item));
  };

  function takeCredits(credits: readonly Credit[], number: number, isOf: (lack: Lack) => boolean) {
    take(lacks.filter(isOf), number, creditedOf({ credits }), creditedUnits({ credits }));
  }

  function take(from: typeof lacks, number: number, amount: Minor, quantity: number) {
    const rankOf = ({ refund, line }: Lack) =>
      (line === number ? 0 : line === null ? 2 : 4) - (refund === order.refund?.refund ? 1 : 0);
    const parts: Pick<Credit, 'refund' | 'amount' | 'quantity'>[] = [];
    for (const lack of from.toSorted((a, b) => rankOf(a) - rankOf(b))) {
      const part = Math.min(amount, lack.amount);
      if (part <= 0) continue;
      const own = lack.line === number ? Math.min(quantity, lack.units) : 0;
      lack.amount -= part;
      lack.units -= own;
      amount -= part;
      quantity -= own;
      parts.push({ refund: lack.refund, amount: part, quantity: own });
    }
    return amount > 0 ? [...parts, { refund: null, amount, quantity: 0 }] : parts;
  }
}

type Lack = ReturnType<typeof lacksOf>[number];

/** What each refund gives for each line. */
function lacksOf({ refunded }: BilledOrder) {
  return refunded
    .filter(({ isCancelled }) => !isCancelled)
    .map(({ refund, line, isCommercial = false }) => {
      const parts = refunded.filter((one) => one.of === refund && one.line === line);
      const units = line === DELIVERY_LINE ? Infinity : sum(parts, (part) => part.units ?? 0);
      return { refund, line, isCommercial, amount: sum(parts, ({ amount }) => amount), units };
    });
}

/** The credits by the refund that they are of. Debits are of the refund that they take back. */
function byRefund({ refunded }: Pick<BilledOrder, 'refunded'>, credits: readonly Credit[]) {
  const originals = new Map<number | null, number>(refunded.map(({ refund, of }) => [refund, of]));
  const originalOf = ({ refund }: Credit) => originals.get(refund) ?? null;
  return [...new Set(credits.map(originalOf))].map((refund) => ({
    refund,
    credits: credits.filter((one) => originalOf(one) === refund),
  }));
}

/** What notes lack of the commercial refunds, or of the others. Less than 0 if they credit too much. */
function lackOf(order: BilledOrder, items: readonly InvoicedItem[], isCommercial: boolean): Minor {
  const refunded = order.refunded.filter((one) => (one.isCommercial ?? false) === isCommercial);
  if (isCommercial) return sum(refunded, ({ amount }) => amount) - sum(items, commercialCreditOf);
  return Math.max(0, dueOf({ ...order, refunded }, items)) - sum(items, ordinaryCreditOf);
}

const ordinaryCreditOf = (item: Pick<InvoicedItem, 'credits'>): Minor =>
  creditedOf(item) - commercialCreditOf(item);

const commercialCreditOf = ({ credits }: Pick<InvoicedItem, 'credits'>): Minor =>
  creditedOf({ credits: credits.filter(({ isCommercial = false }) => isCommercial) });

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
  for (const isUntaxed of [false, true])
    for (const { item, replaced } of again) {
      const credits = replaced.credits.filter((one) => one.isUntaxed === isUntaxed);
      let [left, unitsLeft] = [creditedOf({ credits }), creditedUnits({ credits })];
      for (const { refund, credits: own } of byRefund(order, credits)) {
        const room = item.gross - sum(kept, (one) => (one.item === item ? one.amount : 0));
        const amount = Math.min(creditedOf({ credits: own }), left, room);
        if (amount <= 0) continue;
        const quantity = Math.min(creditedUnits({ credits: own }), unitsLeft);
        kept.push({ item, quantity, amount, refund, isUntaxed });
        left -= amount;
        unitsLeft -= quantity;
      }
    }
  return kept;
}

/** The units that were credited and not debited again. */
export const creditedUnits = ({ credits }: Pick<InvoicedItem, 'credits'>): number =>
  Math.max(
    0,
    sum(credits, ({ quantity }) => quantity),
  );

/**
 * The commercial credits that give way, because the refund of this moment needs the whole amount of their
 * line. They are debited here and credited on other lines.
 */
export function commercialDebits<Item extends InvoicedItem>(
  order: BilledOrder,
  items: readonly Item[],
): RefundChange<Item>[] {
  return currentRefund(order).flatMap(({ line, amount }) => {
    const own = items.filter((item) => item.line === line);
    let lack = amount - sum(own, (item) => item.gross - creditedOf(item));
    return own.flatMap((item) => {
      const commercial = item.credits.filter((one) => one.isCommercial);
      let left = Math.max(0, Math.min(lack, creditedOf({ credits: commercial })));
      lack -= left;
      return byRefund(order, commercial).flatMap(({ refund, credits }) => {
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
  let debits = currentRefund(order).map(({ of, line, amount }) => ({ of, line, amount: -amount }));
  const own = debits[0]?.of ?? 0;
  const isCommercial = order.refunded.some(({ refund, isCommercial: is }) => refund === own && is);
  // Refunds of the other kind may wait for the room that this one leaves.
  const surplus = Math.max(
    sum(items, creditedOf) - totalCredit(order, items),
    -lackOf(order, items, isCommercial),
  );
  const requested = sum(debits, ({ amount }) => amount);
  const creditPools = items.flatMap((item) =>
    CREDIT_KINDS.map((kind) => {
      const credits = item.credits.filter(
        (one) => one.isUntaxed === kind.isUntaxed && (one.isCommercial ?? false) === kind.isCommercial,
      );
      const ofRefund = (refund: number) =>
        byRefund(order, credits).find((one) => one.refund === refund) ?? { credits: [] };
      const creditedBy = (refund: number) => creditedOf(ofRefund(refund));
      return {
        item,
        ...kind,
        line: item.line,
        credits,
        ofRefund,
        credited: creditedOf({ credits }),
        creditedBy,
      };
    }),
  );
  const others = [...new Set(order.refunded.map(({ of }) => of))].filter((of) => of !== own);
  const allotment = new Allotment(creditPools, Math.max(0, Math.min(requested, surplus)));
  type Capacity = (pool: (typeof creditPools)[number]) => Minor;
  const ofAny: Capacity[] = [
    ({ credited, creditedBy }) => credited - sum(others, (of) => Math.max(0, creditedBy(of))),
    ({ credited }) => credited,
  ];
  const capacities: Capacity[] = [
    ({ credited, creditedBy }) => Math.min(credited, creditedBy(own)),
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
  const refund = order.refund?.refund ?? null;
  return allotment.amounts().map(({ item: pool, amount }) => {
    const { item, credits, creditedBy, ofRefund, isUntaxed, isCommercial: is } = pool;
    const units = currentRefund(order).find(({ line }) => line === item.line)?.units ?? 0;
    const ofOwn = creditedBy(own);
    // A part of the credit may stay for other refunds of the line, with its units.
    const quantity =
      ofOwn > 0
        ? Math.floor((creditedUnits(ofRefund(own)) * Math.min(amount, ofOwn)) / ofOwn)
        : Math.min(0 - units, creditedUnits({ credits }));
    return { item, quantity, amount, refund, isUntaxed, ...(is && { isCommercial: true }) };
  });
}

/** Ordinary credits, late ones, and commercial ones. */
const CREDIT_KINDS = [
  { isUntaxed: false, isCommercial: false },
  { isUntaxed: true, isCommercial: false },
  { isUntaxed: true, isCommercial: true },
];

function currentRefund({ refund: now, refunded }: BilledOrder) {
  return refunded.filter(({ refund }) => refund === now?.refund);
}

/** The smallest share of a spread amount: a rupee. */
const MIN_SHARE: Minor = 1_00;

/** Divides an amount among items, never beyond the capacity of each. */
class Allotment<Item extends Pick<InvoicedItem, 'line'>> {
  private readonly parts: { item: Item; capacity: Minor; named: Minor; shared: Minor }[];

  constructor(
    items: readonly Item[],
    private left: Minor,
  ) {
    this.parts = items.map((item) => ({ item, capacity: 0, named: 0, shared: 0 }));
  }

  /** Sets the capacity of each item, less the amount that it already has. */
  setCapacities(capacityOf: (item: Item) => Minor): void {
    for (const part of this.parts)
      part.capacity = Math.max(0, capacityOf(part.item) - part.named - part.shared);
  }

  /** Returns the amount that found no capacity. */
  allot(line: number | null, amount: Minor): Minor {
    for (const part of this.parts.filter(({ item }) => item.line === line)) {
      const allotted = Math.max(0, Math.min(amount, this.left, part.capacity));
      part.named += allotted;
      part.capacity -= allotted;
      amount -= allotted;
      this.left -= allotted;
    }
    return amount;
  }

  allottedTo(line: number): Minor {
    return sum(this.parts, ({ item, named }) => (item.line === line ? named : 0));
  }

  /**
   * Spreads the rest over the items in proportion to their capacity. Items whose share would be below a rupee
   * get none, the smallest first, as long as the others have room: such rows of a note have no tax.
   */
  spread(): void {
    const used = this.parts.toSorted((a, b) => b.capacity - a.capacity);
    let room = sum(used, ({ capacity }) => capacity);
    const amount = Math.min(this.left, room);
    for (let last = used.at(-1); last; last = used.at(-1)) {
      if (last.capacity * amount >= MIN_SHARE * room || room - last.capacity < amount) break;
      room -= last.capacity;
      used.pop();
    }
    const shares = spread(
      amount,
      this.parts.map((part) => (used.includes(part) ? part.capacity : 0)),
    );
    this.parts.forEach((part, at) => (part.shared += shares[at]!));
    this.left -= amount;
  }

  amounts(): { item: Item; amount: Minor }[] {
    return this.parts
      .map(({ item, named, shared }) => ({ item, amount: named + shared }))
      .filter(({ amount }) => amount > 0);
  }
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
  const accounts = refundedByLine(order);
  const waiting = sum(accounts, ({ line, refunded }) => {
    const invoiced = sum(items, (item) => (item.line === line ? item.gross : 0));
    return Math.max(0, refunded - invoiced);
  });
  const cancelled = sum(order.lines, ({ cancelled: units, unitPrice }) => units * unitPrice);
  return sum(order.refunded, ({ amount }) => amount) - cancelled - waiting;
}

/** The refunded amounts of the delivery, and of the units of each line that are not cancelled. */
function refundedByLine({ lines, refunded }: BilledOrder) {
  const named = (line: number) => sum(refunded, (one) => (one.line === line ? one.amount : 0));
  return [
    { line: DELIVERY_LINE, refunded: named(DELIVERY_LINE) },
    ...lines.map(({ line, unitPrice, cancelled }) => ({
      line,
      refunded: named(line) - cancelled * unitPrice,
    })),
  ];
}

/** Shares in proportion to the capacities, by the method of the largest remainder. */
function spread(amount: Minor, capacities: readonly Minor[]): Minor[] {
  const whole = BigInt(sum(capacities, (capacity) => capacity));
  if (amount === 0) return capacities.map(() => 0);
  const exact = capacities.map((capacity) => BigInt(amount) * BigInt(capacity));
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
