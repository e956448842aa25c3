import { DomainError } from '../../../platform/errors/domain-error.js';
import { groupBy, sum, sumBy } from '../../../platform/lists/group-by.js';
import type { Minor } from '../../../platform/money/money.js';
import { type GstTreatment, type LengthLaw, missingTaxData, treatmentAt } from '../../tax/goods-law.js';
import { spread } from './allotment.js';
import { isBilledElsewhere } from './no-invoice.js';
import type { Rate } from './tax.js';

/** The line that stands for the delivery charge. */
export const DELIVERY_LINE = 0;

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
  const numbers = new Set(units.map(({ line }) => line));
  const taxed = lines.filter(({ line }) => numbers.has(line));
  refuseUntaxed(taxed, law);
  const byNumber = new Map(taxed.map((one) => [one.line, one]));
  return units.map(({ line, quantity }): InvoiceItem => {
    const { sku, name, variation, hsn, unit, unitPrice, ...tax } = byNumber.get(line)!;
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
  const byTax = groupBy([...goods.entries()], ([, { rate, treatment }]) => `${rate} ${treatment}`);
  return [...byTax.values()].flatMap((entries) => {
    const gross = sum(entries, ([at]) => shares[at]!);
    const { hsn, rate, treatment } = entries
      .map(([, item]) => item)
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
  const units = unitsByLine(left);
  return lines.every(({ line, quantity, cancelled }) => quantity === cancelled + units(line));
}

/** The shares in the delivery of these units, by line. All units together have the whole delivery. */
function deliveryShares(
  { delivery, lines, left }: BilledOrder,
  isOf: (units: BilledOrder['left'][number]) => boolean,
): Map<number, Minor> {
  // A free unit has a share too, or nothing could be billed for an order of free units.
  const values = lines.map(({ quantity, unitPrice }) => quantity * Math.max(1, unitPrice));
  const shares = spread(delivery, values);
  const units = unitsByLine(left.filter(isOf));
  return new Map(
    lines.map(({ line, quantity }, at) => [line, shareOfUnits(shares[at]!, units(line), quantity)]),
  );
}

const unitsByLine = (units: BilledOrder['left']) =>
  sumBy(
    units,
    ({ line }) => line,
    ({ quantity }) => quantity,
  );

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
