import { type PackingLine, packingRows } from './packing-list.js';

const LINE: PackingLine = {
  order_number: 'WO-20261120-7K3M9-QXA2B',
  placed_at: '2026-11-20T10:00:00.000Z',
  customer_name: 'Ravi Kumar',
  customer_phone: '+91 98765 43210',
  address: '12, MG Road',
  city: 'Bengaluru',
  state: 'Karnataka',
  pincode: '560038',
  country: 'India',
  sku: 'MUG',
  name: 'Mug',
  variation: '',
  quantity: 1,
  notes: '',
};

async function written(notes: string): Promise<string> {
  async function* lines() {
    yield { ...LINE, notes };
  }
  for await (const row of packingRows(lines())) return row.notes;
  throw new Error('no row');
}

describe('packingRows', () => {
  const starts = [
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '＝',
    '＋',
    '－',
    '＠',
    '﹦',
    '﹢',
    '﹣',
    '﹫',
    ' =',
    '\u3000＝',
  ];

  it.each(starts)('makes text of a cell that begins with %j', async (start) => {
    expect(await written(`${start}HYPERLINK("https://evil.example.com")`)).toBe(
      `'${start}HYPERLINK("https://evil.example.com")`,
    );
  });

  it.each(['\n=1+1', '\t12', '\n+91 98765'])('makes text of %j, which is no phone number', async (cell) => {
    expect(await written(cell)).toBe(`'${cell}`);
  });

  it.each(['+91 98765 43210', '-12', '(080) 1234-5678', 'a = b', 'Straße 5', '1/2', ''])(
    'leaves %j as it is',
    async (cell) => {
      expect(await written(cell)).toBe(cell);
    },
  );
});
