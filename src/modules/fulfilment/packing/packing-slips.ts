import type { PapersOf } from '../../../shared/pdf/draw.js';
import type { Column, Pen } from '../../../shared/pdf/pdf-writer.js';
import { isPrintable } from '../../../shared/pdf/scripts.js';
import { addressLines, exportName, LONE_NAMES, SENT_FIELDS } from '../../orders/rules/order-fields.js';
import type { PackedLine } from './packing-lines.repository.js';

type PackedOrder = readonly PackedLine[];

export interface SlipFacts {
  /** Labels have no goods. */
  isLabel: boolean;
  /** The return address of parcels. Empty: not known. */
  sender: string;
}

/** A slip for each order, in the name of its client, without prices. A part has the lines of some orders. */
export const papersOf: PapersOf<SlipFacts, PackedLine[]> = async function* ({ isLabel, sender }, parts) {
  const draw = isLabel ? drawLabel : drawSlip;
  for await (const lines of parts)
    for (const order of ordersIn(lines)) {
      const { order_number, packing_list } = order[0]!;
      const name = `Order ${order_number}, packing list ${packing_list}`;
      yield { name, draw: (pen) => draw(pen, order, sender) };
    }
};

/** Orders with letters that the fonts lack. */
export function unprintableIn(lines: readonly PackedLine[]): string[] {
  return ordersIn(lines)
    .filter((order) => !order.every((line) => Object.values(line).every((cell) => isPrintable(String(cell)))))
    .map(([line]) => String(line!.order_number));
}

function ordersIn(lines: readonly PackedLine[]): PackedOrder[] {
  const orders = new Map<unknown, PackedLine[]>();
  for (const line of lines) {
    const order = orders.get(line.order_number);
    if (order) order.push(line);
    else orders.set(line.order_number, [line]);
  }
  return [...orders.values()];
}

const COLUMNS: Column<PackedLine>[] = [
  { heading: 'Quantity', points: 44, bold: true, align: 'right', cell: ({ quantity }) => String(quantity) },
  {
    heading: 'Item',
    cell: ({ name, variation }) => (variation === '' ? String(name) : `${name}\n${variation}`),
  },
  { heading: 'SKU', points: 130, cell: ({ sku }) => String(sku) },
  { heading: 'Shelf', points: 80, bold: true, cell: ({ shelf }) => String(shelf) },
];

function drawSlip(pen: Pen, order: PackedOrder, sender: string): void {
  const { order_number, store_order_id, ...to } = order[0]!;
  pen.beside(
    () => drawSender(pen, order, sender),
    () => pen.barcode(String(order_number)),
    0.45,
  );
  pen.rule();
  pen.space(6);
  pen.beside(
    () => drawReceiver(pen, order),
    () => {
      pen.fact('Order', String(order_number), { bold: true });
      if (store_order_id !== '') pen.fact('Order of the store', String(store_order_id), { bold: true });
      pen.fact('Contents', contentsOf(order));
    },
  );
  pen.space(14);
  pen.table(COLUMNS, order);
  for (const name of LONE_NAMES) {
    const text = to[exportName(name)];
    if (text === '') continue;
    pen.space(8);
    pen.fact(SENT_FIELDS[name].label, String(text));
  }
}

/** For the outside of the parcel. */
function drawLabel(pen: Pen, order: PackedOrder, sender: string): void {
  const { order_number, store_order_id } = order[0]!;
  drawSender(pen, order, sender);
  pen.rule();
  pen.space(6);
  drawReceiver(pen, order);
  pen.rule(10, 12);
  pen.barcode(String(order_number), 56);
  pen.space(6);
  pen.text(String(order_number), { bold: true });
  if (store_order_id !== '') pen.text(`Order of the store: ${store_order_id}`);
  pen.text(contentsOf(order));
}

function drawSender(pen: Pen, [line]: PackedOrder, sender: string): void {
  pen.text(String(line!.client), { size: 16, bold: true });
  if (sender !== '') pen.text(`If undelivered, return to: ${sender}`, { size: 8, soft: true });
}

function drawReceiver(pen: Pen, [line]: PackedOrder): void {
  const to = line!;
  pen.text('Deliver to', { size: 8, soft: true });
  pen.text(String(to.customer_name), { size: 15, bold: true });
  pen.text(addressLines((name) => to[exportName(name)]).join('\n'), { size: 13 });
  pen.space(4);
  pen.text(`Phone ${to.customer_phone}`, { size: 13 });
}

function contentsOf(order: PackedOrder): string {
  const units = order.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  return `${counted(order.length, 'line')}, ${counted(units, 'unit')}`;
}

function counted(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}
