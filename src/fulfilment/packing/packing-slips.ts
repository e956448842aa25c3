import { isPrintable, type Paper } from '../../documents/pdf.js';
import type { Column, Pen } from '../../documents/pen.js';
import { exportName, SENT_FIELDS, SLIP_NAMES } from '../../orders/rules/sent-fields.js';
import type { PackedLine } from './packing-lines.repository.js';

/**
 * One slip for each order, in the name of its client, without prices. Adds the orders with letters that the
 * font lacks to `unprintable`.
 */
export async function* slipsOf(
  lines: AsyncIterable<PackedLine>,
  unprintable: string[],
): AsyncGenerator<Paper> {
  for await (const order of ordersOf(lines)) {
    const { order_number, packing_list } = order[0];
    if (!order.every((line) => Object.values(line).every((cell) => isPrintable(String(cell)))))
      unprintable.push(String(order_number));
    yield {
      name: `Order ${order_number}, packing list ${packing_list}`,
      draw: (pen) => drawSlip(pen, order),
    };
  }
}

type PackedOrder = [PackedLine, ...PackedLine[]];

/** The lines of an order stand together. */
async function* ordersOf(lines: AsyncIterable<PackedLine>): AsyncGenerator<PackedOrder> {
  let order: PackedOrder | undefined;
  for await (const line of lines) {
    if (order?.[0].order_number === line.order_number) order.push(line);
    else {
      if (order) yield order;
      order = [line];
    }
  }
  if (order) yield order;
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

function drawSlip(pen: Pen, order: PackedOrder): void {
  const [{ client, order_number, store_order_id, ...to }] = order;
  const units = order.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  pen.text(String(client), { size: 16, bold: true });
  pen.rule();
  pen.space(6);
  pen.beside(
    () => {
      pen.text('Deliver to', { size: 8, soft: true });
      pen.text(String(to.customer_name), { size: 15, bold: true });
      pen.text(`${to.address}\n${to.city} ${to.pincode}\n${to.state}, ${to.country}`, { size: 13 });
      pen.space(4);
      pen.text(`Phone ${to.customer_phone}`, { size: 13 });
    },
    () => {
      pen.fact('Order', String(order_number), { bold: true });
      if (store_order_id !== '') pen.fact('Order of the store', String(store_order_id), { bold: true });
      pen.fact('Contents', `${counted(order.length, 'line')}, ${counted(units, 'unit')}`);
    },
  );
  pen.space(14);
  pen.table(COLUMNS, order);
  for (const name of SLIP_NAMES) {
    const text = to[exportName(name)];
    if (text === '') continue;
    pen.space(8);
    pen.fact(SENT_FIELDS[name].label, String(text));
  }
}

function counted(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : `${thing}s`}`;
}
