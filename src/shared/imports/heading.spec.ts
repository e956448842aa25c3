import { isTitle, readHeading } from './heading.js';
import type { MappedHeading, HeadingMapping } from './import-kind.js';

const CATALOG = { required: ['sku'], optional: ['name', 'base_price', 'delivery_charge', 'active', 'was'] };
const SHIPMENTS = { required: ['order_number', 'courier'], optional: ['tracking_number', 'tracking_url'] };

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
      expect(readHeading(['SKU', name], CATALOG)).toMatchObject({
        given: new Set(['sku', 'base_price']),
        unknown: [],
      });
    },
  );

  it('may lack optional columns, and reports unknown ones except our own reason', () => {
    const heading = readHeading(['sku', ' Colour', 'reason', ''], { required: ['sku'], optional: ['note'] });
    expect(heading).toMatchObject({
      positions: [
        ['sku', 0],
        ['note', -1],
      ],
      unknown: ['Colour'],
    });
  });

  it('is refused with the missing columns, and a similar one or the required ones', () => {
    expect(() => readHeading(['sku'], { required: ['sku', 'price'], optional: ['note'] })).toThrow(
      /^The heading lacks price\. Required, in any order: sku, price\.$/,
    );
    expect(() => readHeading(['ordr_number', 'Courier'], SHIPMENTS)).toThrow(
      /^The heading lacks order_number\. There is no column "ordr_number": did you mean order_number\?$/,
    );
    const oneOf = ['mode', 'vehicle', 'distance', 'remark'];
    expect(() => readHeading(['note'], { required: ['number'], optional: oneOf, oneOf })).toThrow(
      /^The heading lacks number, mode or vehicle or distance or another one\.$/,
    );
  });

  it.each([
    ['bse_price', 'base_price'],
    ['Price', 'base_price'],
    ['delivery', 'delivery_charge'],
    ['nme', 'name'],
  ])('is refused if a column is misspelt: %j', (name, suggested) => {
    expect(() => readHeading(['sku', name], CATALOG)).toThrow(
      `There is no column "${name}": did you mean ${suggested}? Rename the column or remove it.`,
    );
  });

  it('has its own columns beside a known one of a similar name', () => {
    expect(readHeading(['sku', 'base_price', 'price', 'gas', 'supplier name'], CATALOG).unknown).toEqual([
      'price',
      'gas',
      'supplier name',
    ]);
  });

  it('is refused with a heading that misleads beside a column, until a person leaves it out', () => {
    const misleading = { headings: ['from', 'valid to'], beside: ['base_price'], advice: 'remove it.' };
    const read = (cells: string[], more: object = {}) =>
      readHeading(cells, { ...CATALOG, misleading, ...more }).unknown;
    expect(() => read(['sku', 'base_price', 'From', 'Valid_To', 'x'])).toThrow(
      /^This import does not read From, Valid_To: remove it\.$/,
    );
    expect(read(['sku', 'name', 'from'])).toEqual(['from']);
    const left: MappedHeading[] = [['from', '']];
    expect(read(['sku', 'base_price', 'from'], { readings: [left] })).toEqual(['from']);
    expect(() => read(['sku', 'base_price', 'from'], { suggested: left })).toThrow('remove it.');
  });

  it('is refused when it names a column twice', () => {
    expect(() => readHeading(['sku', 'SKU'], { required: ['sku'] })).toThrow(
      'The heading names the column sku twice.',
    );
  });

  it('is read under the names that the command gives', () => {
    const renamed = { 'awb no.': 'tracking_number', '#': 'order_number', '=': 'courier' };
    expect(readHeading(['#', 'AWB No', '=', ''], { ...SHIPMENTS, renamed }).positions).toEqual([
      ['order_number', 0],
      ['courier', 2],
      ['tracking_number', 1],
      ['tracking_url', -1],
    ]);
  });

  it('is read under the names of other programs, after its own and those of the command', () => {
    const aliases = { order_number: ['Ref No', 'Order'], tracking_number: ['AWB', 'Waybill'] };
    const read = (cells: string[], more: object = {}) =>
      readHeading(cells, { ...SHIPMENTS, aliases, ...more }).positions.slice(0, 3);
    const at = (order: number, courier: number, tracking: number) => [
      ['order_number', order],
      ['courier', courier],
      ['tracking_number', tracking],
    ];
    expect(read(['awb', 'COURIER', 'Order'])).toEqual(at(2, 1, 0));
    expect(read(['Order', 'Ref. No.', 'courier', 'Waybill'])).toEqual(at(1, 2, 3));
    expect(read(['Waybill', 'AWB', 'order number', 'courier'])).toEqual(at(2, 3, 1));
    expect(read(['AWB', 'tracking number', 'Order', 'courier'])).toEqual(at(2, 3, 1));
    expect(read(['AWB', 'Order', 'x'], { renamed: { AWB: 'courier' } })).toEqual(at(1, 0, -1));
    expect(read(['Order', 'courier', 'AWB'], { constants: { tracking_number: 'T' } })).toEqual(at(0, 1, -1));
    expect(() => read(['AWB', 'courier'])).toThrow('The heading lacks order_number.');
  });

  it('reads other headings as files with the same ones were read, and reports it before their faults', () => {
    const docket = ['order_number', ' Docket\0', 'By', 'Weight', 'reason', ''];
    const read = (cells: string[], ...readings: MappedHeading[][]) => {
      let mapping: HeadingMapping | undefined;
      const onRead = (reading: HeadingMapping) => (mapping = reading);
      const given = () =>
        readHeading(cells, { ...SHIPMENTS, aliases: { courier: ['By'] }, readings, onRead }).positions.map(
          ([, position]) => position,
        );
      return { given, mapping: () => mapping?.headings.map(([heading, column]) => `${heading}: ${column}`) };
    };
    const like = (...columns: string[]): MappedHeading[] =>
      ['Docket', 'By', 'Weight'].map((heading, at) => [heading, columns[at]!]);

    const first = read(
      docket,
      like('tracking_number', '', 'courier').slice(1),
      like('tracking_number', '', 'courier'),
    );
    expect(first.given()).toEqual([0, 3, 1, -1]);
    expect(first.mapping()).toEqual(['Docket: tracking_number', 'By: ', 'Weight: courier']);

    // Of fewer headings, of others, and of a column that the file names itself.
    const unlike = read(docket, like('', '', '').slice(0, 2), [
      ...like('', '', '').slice(0, 2),
      ['Size', ''],
    ]);
    expect(unlike.given()).toEqual([0, 2, -1, -1]);
    expect(unlike.mapping()).toEqual(['Docket: ', 'By: courier', 'Weight: ']);
    expect(read(docket, like('order_number', 'courier', '')).given()).toEqual([0, 2, -1, -1]);

    const lacking = read(['Docket', 'Weight']);
    expect(lacking.given).toThrow('The heading lacks order_number, courier.');
    expect(lacking.mapping()).toEqual(['Docket: ', 'Weight: ']);
    expect(read(docket, like('courier', 'courier', '')).given).toThrow(
      'The heading names the column courier twice.',
    );
    expect(() => readHeading(['sku', 'Prise'], CATALOG)).toThrow('did you mean base_price?');
    expect(readHeading(['sku', 'Prise'], { ...CATALOG, readings: [[['Prise', '']]] }).unknown).toEqual([
      'Prise',
    ]);
  });

  it('needs no column that the command gives, and may not have it', () => {
    const columns = { ...SHIPMENTS, constants: { courier: 'BlueDart' } };
    expect(readHeading(['order_number'], columns)).toMatchObject({
      given: new Set(['order_number', 'courier']),
      constants: { courier: 'BlueDart' },
    });
    expect(() => readHeading(['order_number', 'Courier'], columns)).toThrow(
      'The file has the column courier itself.',
    );
    expect(() => readHeading(['order_number'], { ...SHIPMENTS, constants: { carrier: 'X' } })).toThrow(
      'There is no column "carrier". The columns are order_number, courier, tracking_number, tracking_url.',
    );
  });

  it.each([
    [{ AWB: 'trackingno' }, 'There is no column "trackingno". The columns are order_number, courier, '],
    [{ AWB: 'tracking_url' }, 'The heading has no "AWB". It is: order_number, courier, Waybill.'],
    [{ Waybill: 'courier' }, 'The heading names the column courier twice.'],
  ])('is refused if it does not fit the names of the command: %j', (renamed, message) => {
    const cells = ['order_number', 'courier', 'Waybill'];
    expect(() => readHeading(cells, { ...SHIPMENTS, renamed: renamed as Record<string, string> })).toThrow(
      message,
    );
  });

  it('names the usual meaning of a heading that is similar to another column', () => {
    const rules = {
      required: ['sku', 'gst_rate'],
      optional: ['base_price'],
      synonyms: { base_price: ['Rate'] },
    };
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
    const rules = { required: ['sku'], aliases: { sku: ['AWB'] } };
    expect(isTitle(cells, next, rules)).toBe(expected);
  });
});
