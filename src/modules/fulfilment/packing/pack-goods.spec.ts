import { codeOf, type Goods, packedUnits, packGoods } from './pack-goods.js';

const goods = (sku: string, units: number, more: Partial<Goods> = {}): Goods => ({
  sku,
  units,
  variation: '',
  barcode: '',
  ...more,
});

const MUG = goods('MUG', 2, { barcode: '8901234567894' });
const BOX = goods('BOX', 1);
const [RED, BLUE] = ['Color:Red', 'Color:Blue'].map((variation) => goods('TEE', 1, { variation }));
const ORDER = [MUG, BOX, RED!, BLUE!];

/** Scans one code after the other. */
function scanned(...codes: string[]) {
  let [contents, refusals]: [string, (string | undefined)[]] = ['', []];
  for (const code of codes) {
    const step = packGoods(ORDER, contents, { scanned: code });
    contents = step.contents;
    refusals = [...refusals, step.refusal];
  }
  return { contents, refusals };
}

describe('Putting goods into a parcel', () => {
  it('counts each code, by SKU in any case or by barcode', () => {
    expect(scanned('mug', '8901234567894', 'BOX')).toEqual({
      contents: '2 MUG\n1 BOX',
      refusals: [undefined, undefined, undefined],
    });
  });

  it('reports goods that do not belong to the order, and units too many', () => {
    expect(scanned('TEA', '', 'BOX', 'BOX', 'MUG', 'MUG', 'MUG')).toEqual({
      contents: '2 MUG\n1 BOX',
      refusals: [
        'TEA is not in this order.',
        undefined,
        undefined,
        'BOX is already in the parcel.',
        undefined,
        undefined,
        'All 2 units of MUG are already in the parcel.',
      ],
    });
  });

  it('fills one variation after the other, or the one that is named', () => {
    expect(scanned('TEE').contents).toBe('1 TEE Color:Red');
    expect(scanned('tee color:blue', 'TEE')).toEqual({
      contents: '1 TEE Color:Red\n1 TEE Color:Blue',
      refusals: [undefined, undefined],
    });
    expect(scanned('TEE', 'TEE', 'TEE').refusals[2]).toBe('All 2 units of TEE are already in the parcel.');
  });

  it('takes all units of what is ticked, and takes them out again', () => {
    const some = packGoods(ORDER, '1 MUG', { ticked: 'MUG' });
    expect(some.contents).toBe('2 MUG');
    expect(packGoods(ORDER, some.contents, { ticked: 'MUG' }).contents).toBe('');
    expect(packGoods(ORDER, '', { ticked: codeOf(BLUE!) }).contents).toBe('1 TEE Color:Blue');
    expect(packGoods(ORDER, '', { ticked: 'TEE' }).contents).toBe('');
  });

  it('has units of lines, also of two lines with the same goods', () => {
    const items = [
      { line: 1, sku: 'MUG', variation: null },
      { line: 2, sku: 'TEE', variation: 'Color:Red' },
      { line: 4, sku: 'MUG', variation: '' },
    ];
    const lines = items.map(({ line }) => ({ line, quantity: 2 }));
    const packed = (contents: string) => packedUnits(items, lines, contents)?.map(({ quantity }) => quantity);
    expect(packed('')).toBeUndefined();
    expect(packed('3 MUG\n9 TEA')).toEqual([2, 0, 1]);
    expect(packed('1 TEE Color:Red\n9 MUG')).toEqual([2, 1, 2]);
  });

  it('does not trust the URL: unknown goods and too many units are dropped', () => {
    const { goods: rows } = packGoods(ORDER, '9 MUG\r\n1 TEA\nnonsense\n0 BOX\n1234567 BOX', {});
    expect(rows.map(({ sku, inside }) => `${sku} ${inside}`)).toEqual(['MUG 2', 'BOX 0', 'TEE 0', 'TEE 0']);
  });
});
