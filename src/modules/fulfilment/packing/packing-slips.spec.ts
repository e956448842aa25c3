import type { PdfWriter } from '../../../shared/pdf/pdf-writer.js';
import type { PackedLine } from './packing-lines.repository.js';
import { printedDocumentsOf, type SlipOptions, unprintableIn } from './packing-slips.js';

const LINE: PackedLine = {
  packing_list: 12,
  order_number: 'WO-1',
  client_id: 7,
  client: 'Anaya Home',
  store_order_id: 'S-1',
  status: 'pending',
  courier: '',
  placed_at: '2026-11-22T10:00:00+05:30',
  customer_name: 'Ravi Kumar',
  customer_phone: '+91 98765 43210',
  customer_email: 'ravi@example.com',
  address: '12, MG Road',
  city: 'Bengaluru',
  state: 'Karnataka',
  pincode: '560038',
  country: 'India',
  line: 1,
  sku: 'MUG',
  name: 'Mug',
  variation: 'Color:Red',
  quantity: 3,
  shelf: 'A-12-3',
  notes: 'Ring twice',
  metadata: '',
  line_metadata: '',
};

const ADDRESS = '12, MG Road\nBengaluru 560038\nKarnataka, India';
const DELIVER_TO = ['Deliver to', 'Ravi Kumar', ADDRESS, 'Phone +91 98765 43210'];

/** A PDF writer that records the texts of a slip. */
function recordingWriter(texts: string[]): PdfWriter {
  const draw = (work: () => void) => work();
  return {
    text: (text: string) => texts.push(text),
    fact: (name: string, value: string) => texts.push(`${name}: ${value}`),
    barcode: (text: string) => texts.push(`barcode ${text}`),
    rule: () => {},
    space: () => {},
    beside: (left: () => void, right: () => void) => [left, right].forEach(draw),
    table: (columns: { heading: string; cell: (row: PackedLine) => string }[], rows: PackedLine[]) => {
      texts.push(columns.map(({ heading }) => heading).join(' | '));
      for (const row of rows) texts.push(columns.map(({ cell }) => cell(row)).join(' | '));
    },
  } as unknown as PdfWriter;
}

async function drawSlips(changes: Partial<PackedLine>[], options: Partial<SlipOptions> = {}) {
  const lines = changes.map((change) => ({ ...LINE, ...change }));
  async function* parts() {
    yield lines;
  }
  const printed: string[][] = [];
  const slips = printedDocumentsOf({ isLabel: false, sender: '', ...options }, parts());
  for await (const { name, draw } of slips) {
    const texts = [name];
    draw(recordingWriter(texts));
    printed.push(texts);
  }
  return { printed, unprintable: unprintableIn(lines) };
}

describe('A packing slip', () => {
  it("has all lines of an order in the client's name, without prices", async () => {
    const box = { line: 2, sku: 'BOX', name: 'Box', variation: '', shelf: '' };
    const { printed, unprintable } = await drawSlips([{}, box]);
    expect(printed).toEqual([
      [
        'Order WO-1, packing list 12',
        'Anaya Home',
        'barcode WO-1',
        ...DELIVER_TO,
        'Order: WO-1',
        'Order of the store: S-1',
        'Contents: 2 lines, 6 units',
        'Quantity | Item | SKU | Shelf',
        '3 | Mug\nColor: Red | MUG | A-12-3',
        '3 | Box | BOX | ',
        'Notes: Ring twice',
      ],
    ]);
    expect(unprintable).toEqual([]);
  });

  it('leaves out what an order does not have, and counts one of a thing', async () => {
    const { printed } = await drawSlips([{ store_order_id: '', notes: '', quantity: 1 }]);
    expect(printed[0]).toContain('Contents: 1 line, 1 unit');
    expect(printed[0]!.join()).not.toMatch(/Order of the store|Notes/);
  });

  it('is made for each order, and names the orders with letters that the font lacks', async () => {
    const second = { order_number: 'WO-2', customer_name: 'රුවන්' };
    const { printed, unprintable } = await drawSlips([{}, { line: 2 }, second, { order_number: 'WO-3' }]);
    const titles = [1, 2, 3].map((number) => `Order WO-${number}, packing list 12`);
    expect(printed.map(([title]) => title)).toEqual(titles);
    expect(unprintable).toEqual(['WO-2']);
  });

  it('names the return address of the parcel, in the name of the client', async () => {
    const { printed } = await drawSlips([{}], { sender: '7 Depot Road' });
    expect(printed[0]!.slice(1, 3)).toEqual(['Anaya Home', 'If undelivered, return to: 7 Depot Road']);
  });
});

it('A label has the addresses and the barcode, and no goods', async () => {
  const options = { isLabel: true, sender: '7 Depot Road' };
  const { printed } = await drawSlips([{}, { line: 2, quantity: 1 }], options);
  expect(printed).toEqual([
    [
      'Order WO-1, packing list 12',
      'Anaya Home',
      'If undelivered, return to: 7 Depot Road',
      ...DELIVER_TO,
      'barcode WO-1',
      'WO-1',
      'Order of the store: S-1',
      '2 lines, 4 units',
    ],
  ]);
});
