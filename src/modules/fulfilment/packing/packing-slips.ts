import type { PrintedDocumentsOf } from '../../../shared/pdf/draw.js';
import type { PdfColumn, PdfWriter } from '../../../shared/pdf/pdf-writer.js';
import { isPrintable } from '../../../shared/pdf/scripts.js';
import { addressLines, exportName, TOP_LEVEL_NAMES, ORDER_FIELDS } from '../../orders/rules/order-fields.js';
import type { PackedLine } from './packing-lines.repository.js';
import { formatVariation } from '../../../read-model/products/variations.js';

type PackedOrder = readonly PackedLine[];

export interface SlipOptions {
  /** Labels have no goods. */
  isLabel: boolean;
  /** The return address of parcels. Empty: not known. */
  sender: string;
  /** Absent on labels. */
  logo?: Uint8Array | undefined;
}

type Sender = Omit<SlipOptions, 'isLabel'>;

/** In points. */
const LOGO_BOX = { width: 110, height: 30 };

/** A slip for each order, in the name of its client, without prices. A part has the lines of some orders. */
export const printedDocumentsOf: PrintedDocumentsOf<SlipOptions, PackedLine[]> = async function* (
  { isLabel, ...options },
  parts,
) {
  const draw = isLabel ? drawLabel : drawSlip;
  for await (const lines of parts)
    for (const order of ordersIn(lines)) {
      const { order_number, packing_list } = order[0]!;
      const name = `Order ${order_number}, packing list ${packing_list}`;
      yield { name, draw: (writer) => draw(writer, order, options) };
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

const COLUMNS: PdfColumn<PackedLine>[] = [
  { heading: 'Quantity', points: 44, bold: true, align: 'right', cell: ({ quantity }) => String(quantity) },
  {
    heading: 'Item',
    cell: ({ name, variation }) =>
      variation === '' ? String(name) : `${name}\n${formatVariation(String(variation))}`,
  },
  { heading: 'SKU', points: 130, cell: ({ sku }) => String(sku) },
  { heading: 'Shelf', points: 80, bold: true, cell: ({ shelf }) => String(shelf) },
];

function drawSlip(writer: PdfWriter, order: PackedOrder, options: Sender): void {
  const { order_number, store_order_id, ...to } = order[0]!;
  writer.beside(
    () => drawSender(writer, order, options),
    () => writer.barcode(String(order_number)),
    0.45,
  );
  writer.rule();
  writer.space(6);
  writer.beside(
    () => drawReceiver(writer, order),
    () => {
      writer.fact('Order', String(order_number), { bold: true });
      if (store_order_id !== '') writer.fact('Order of the store', String(store_order_id), { bold: true });
      writer.fact('Contents', formatContents(order));
    },
  );
  writer.space(14);
  writer.table(COLUMNS, order);
  for (const name of TOP_LEVEL_NAMES) {
    const text = to[exportName(name)];
    if (text === '') continue;
    writer.space(8);
    writer.fact(ORDER_FIELDS[name].label, String(text));
  }
}

/** For the outside of the parcel. */
function drawLabel(writer: PdfWriter, order: PackedOrder, options: Sender): void {
  const { order_number, store_order_id } = order[0]!;
  drawSender(writer, order, options);
  writer.rule();
  writer.space(6);
  drawReceiver(writer, order);
  writer.rule(10, 12);
  writer.barcode(String(order_number), 56);
  writer.space(6);
  writer.text(String(order_number), { bold: true });
  if (store_order_id !== '') writer.text(`Order of the store: ${store_order_id}`);
  writer.text(formatContents(order));
}

/** The logo belongs to the return address: the slip is in the name of the client. */
function drawSender(writer: PdfWriter, [line]: PackedOrder, { sender, logo }: Sender): void {
  writer.text(String(line!.client), { size: 16, bold: true });
  if (sender !== '') writer.text(`If undelivered, return to: ${sender}`, { size: 8, soft: true });
  if (logo) writer.picture(logo, LOGO_BOX);
}

function drawReceiver(writer: PdfWriter, [line]: PackedOrder): void {
  const to = line!;
  writer.text('Deliver to', { size: 8, soft: true });
  writer.text(String(to.customer_name), { size: 15, bold: true });
  writer.text(addressLines((name) => to[exportName(name)]).join('\n'), { size: 13 });
  writer.space(4);
  writer.text(`Phone ${to.customer_phone}`, { size: 13 });
}

function formatContents(order: PackedOrder): string {
  const units = order.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  return `${formatCount(order.length, 'line')}, ${formatCount(units, 'unit')}`;
}

function formatCount(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}
