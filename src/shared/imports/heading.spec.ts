import { isTitle, readHeading } from './heading.js';
import type { HeadingMapping, MappedHeading } from './import-kind.js';

type Rules = Parameters<typeof readHeading>[1];

const CATALOG = { required: ['sku'], optional: ['name', 'base_price', 'delivery_charge', 'active', 'was'] };
const SHIPMENTS = { required: ['order_number', 'courier'], optional: ['tracking_number', 'tracking_url'] };
const WITH_PRICE = { required: ['sku', 'price'], optional: ['note'] };
const ONE_OF = ['mode', 'vehicle', 'distance', 'remark'];

/** Where the columns of the rules stand in the file, in the order of the rules. */
const positionsOf = (cells: string[], rules: Rules) =>
  readHeading(cells, rules).positions.map(([, position]) => position);
const unknownOf = (cells: string[], rules: Rules) => readHeading(cells, rules).unknown;

describe('the heading of a file', () => {
  it('is read in any order', () => {
    const columns = { required: ['sku', 'variation', 'quantity'] };
    expect(readHeading([' Quantity', 'SKU', 'variation '], columns).positions).toEqual([
      ['sku', 1],
      ['variation', 2],
      ['quantity', 0],
    ]);
  });

  it.each(['base_price', 'Base Price', ' BASE-PRICE ', 'basePrice', 'base\u00A0price*'])(
    'is understood regardless of case, blanks and punctuation: %j',
    (name) => {
      const given = new Set(['sku', 'base_price']);
      expect(readHeading(['SKU', name], CATALOG)).toMatchObject({ given, unknown: [] });
    },
  );

  it('may lack optional columns, and reports unknown ones except our own reason', () => {
    const columns = { required: ['sku'], optional: ['note'] };
    const cells = ['sku', ' Colour', 'reason', ''];
    expect(positionsOf(cells, columns)).toEqual([0, -1]);
    expect(unknownOf(cells, columns)).toEqual(['Colour']);
  });

  it.each<[string, string[], Rules]>([
    ['The heading lacks price. Required, in any order: sku, price.', ['sku'], WITH_PRICE],
    [
      'The heading lacks order_number. There is no column "ordr_number": did you mean order_number?',
      ['ordr_number', 'Courier'],
      SHIPMENTS,
    ],
    [
      'The heading lacks number, mode or vehicle or distance or another one.',
      ['note'],
      { required: ['number'], optional: ONE_OF, oneOf: ONE_OF },
    ],
    ['The heading names the column sku twice.', ['sku', 'SKU'], { required: ['sku'] }],
  ])('is refused: %s', (message, cells, rules) => {
    expect(() => readHeading(cells, rules)).toThrow(expect.objectContaining({ message }));
  });

  it.each(
    Object.entries({
      bse_price: 'base_price',
      Price: 'base_price',
      delivery: 'delivery_charge',
      nme: 'name',
    }),
  )('is refused if a column is misspelt: %j', (name, suggested) => {
    const question = `There is no column "${name}": did you mean ${suggested}?`;
    const message = `${question} Rename the column or remove it.`;
    expect(() => readHeading(['sku', name], CATALOG)).toThrow(message);
  });

  it('has its own columns beside a known one of a similar name', () => {
    const own = ['price', 'gas', 'supplier name'];
    expect(unknownOf(['sku', 'base_price', ...own], CATALOG)).toEqual(own);
  });

  it('is refused with a heading that misleads beside a column, until a person leaves it out', () => {
    const misleading = { headings: ['from', 'valid to'], beside: ['base_price'], advice: 'remove it.' };
    const rules = { ...CATALOG, misleading };
    const left: MappedHeading[] = [['from', '']];
    const refused = 'This import does not read From, Valid_To: remove it.';
    expect(() => readHeading(['sku', 'base_price', 'From', 'Valid_To', 'x'], rules)).toThrow(refused);
    expect(unknownOf(['sku', 'name', 'from'], rules)).toEqual(['from']);
    const cells = ['sku', 'base_price', 'from'];
    expect(unknownOf(cells, { ...rules, readings: [left] })).toEqual(['from']);
    expect(() => readHeading(cells, { ...rules, suggested: left })).toThrow('remove it.');
  });

  it('is read under the names that the command gives', () => {
    const renamed = { 'awb no.': 'tracking_number', '#': 'order_number', '=': 'courier' };
    expect(positionsOf(['#', 'AWB No', '=', ''], { ...SHIPMENTS, renamed })).toEqual([0, 2, 1, -1]);
  });

  describe('under the names of other programs', () => {
    const aliases = { order_number: ['Ref No', 'Order'], tracking_number: ['AWB', 'Waybill'] };
    const rules = { ...SHIPMENTS, aliases };

    it.each<[string, string[], object, number[]]>([
      ['is read', ['awb', 'COURIER', 'Order'], {}, [2, 1, 0]],
      ['has the first alias', ['Order', 'Ref. No.', 'courier', 'Waybill'], {}, [1, 2, 3]],
      ['has the first alias of each', ['Waybill', 'AWB', 'order number', 'courier'], {}, [2, 3, 1]],
      ['has our own names first', ['AWB', 'tracking number', 'Order', 'courier'], {}, [2, 3, 1]],
      ['has those of the command first', ['AWB', 'Order', 'x'], { renamed: { AWB: 'courier' } }, [1, 0, -1]],
      ['has constants', ['Order', 'courier', 'AWB'], { constants: { tracking_number: 'T' } }, [0, 1, -1]],
    ])('%s: %j', (_, cells, more, positions) => {
      expect(positionsOf(cells, { ...rules, ...more }).slice(0, 3)).toEqual(positions);
    });

    it('may lack a column', () => {
      expect(() => readHeading(['AWB', 'courier'], rules)).toThrow('The heading lacks order_number.');
    });
  });

  describe('that was read by a person before', () => {
    const DOCKET = ['order_number', ' Docket\0', 'By', 'Weight', 'reason', ''];
    const READING = ['Docket', 'By', 'Weight'];
    const like = (...columns: string[]) => columns.map((column, at): MappedHeading => [READING[at]!, column]);

    function read(cells: string[], ...readings: MappedHeading[][]) {
      let mapping: HeadingMapping | undefined;
      const onRead = (reading: HeadingMapping) => (mapping = reading);
      const given = () =>
        positionsOf(cells, { ...SHIPMENTS, aliases: { courier: ['By'] }, readings, onRead });
      return { given, mapping: () => mapping?.headings.map(([heading, column]) => `${heading}: ${column}`) };
    }

    it('is read as files with the same headings were', () => {
      const reading = like('tracking_number', '', 'courier');
      const same = read(DOCKET, reading.slice(1), reading);
      expect(same.given()).toEqual([0, 3, 1, -1]);
      expect(same.mapping()).toEqual(['Docket: tracking_number', 'By: ', 'Weight: courier']);
    });

    it('is not read as files with fewer headings, with others, or with a column of its own', () => {
      const unlike = read(DOCKET, like('', ''), [...like('', ''), ['Size', '']]);
      expect(unlike.given()).toEqual([0, 2, -1, -1]);
      expect(unlike.mapping()).toEqual(['Docket: ', 'By: courier', 'Weight: ']);
      expect(read(DOCKET, like('order_number', 'courier', '')).given()).toEqual([0, 2, -1, -1]);
    });

    it('is reported before its faults', () => {
      const lacking = read(['Docket', 'Weight']);
      expect(lacking.given).toThrow('The heading lacks order_number, courier.');
      expect(lacking.mapping()).toEqual(['Docket: ', 'Weight: ']);
      const twice = read(DOCKET, like('courier', 'courier', ''));
      expect(twice.given).toThrow('The heading names the column courier twice.');
    });

    it('may have a heading that looks misspelt', () => {
      expect(() => readHeading(['sku', 'Prise'], CATALOG)).toThrow('did you mean base_price?');
      expect(unknownOf(['sku', 'Prise'], { ...CATALOG, readings: [[['Prise', '']]] })).toEqual(['Prise']);
    });
  });

  it('needs no column that the command gives', () => {
    const constants = { courier: 'BlueDart' };
    const given = new Set(['order_number', 'courier']);
    expect(readHeading(['order_number'], { ...SHIPMENTS, constants })).toMatchObject({ given, constants });
  });

  const CELLS = ['order_number', 'courier', 'Waybill'];

  it.each<[string, Partial<Rules>]>([
    ['The file has the column courier itself.', { constants: { courier: 'BlueDart' } }],
    [
      'There is no column "carrier". The columns are order_number, courier, tracking_number, tracking_url.',
      { constants: { carrier: 'X' } },
    ],
    ['There is no column "trackingno". The columns are order_number, ', { renamed: { AWB: 'trackingno' } }],
    [
      'The heading has no "AWB". It is: order_number, courier, Waybill.',
      { renamed: { AWB: 'tracking_url' } },
    ],
    ['The heading names the column courier twice.', { renamed: { Waybill: 'courier' } }],
  ])('is refused if it does not fit the command: %s', (message, given) => {
    expect(() => readHeading(CELLS, { ...SHIPMENTS, ...given })).toThrow(message);
  });

  it('names the usual meaning of a heading that is similar to another column', () => {
    const synonyms = { base_price: ['Rate'] };
    const rules = { required: ['sku', 'gst_rate'], optional: ['base_price'], synonyms };
    expect(() => readHeading(['sku', 'Rate'], rules)).toThrow('did you mean base_price?');
  });

  it.each([
    [true, ['Price list of November', '', ''], ['SKU', 'Rate']],
    [false, ['SKU', '', ''], ['CUP', '7']],
    [false, ['AWB'], ['X-1', 'Delivered']],
    [false, ['Price list', 'November'], ['SKU', 'Rate']],
    [false, ['Price list'], ['CUP']],
    [false, ['Price list'], undefined],
    [false, ['', ' '], ['SKU', 'Rate']],
  ])('follows a title: %j for %j above %j', (expected, cells, next) => {
    expect(isTitle(cells, next, { required: ['sku'], aliases: { sku: ['AWB'] } })).toBe(expected);
  });
});
