import { readFileSync } from 'node:fs';
import { documentPart, NOVEMBER, taxReturn } from '../../../../test/support/gst-month.js';
import { type DocumentPart, groupRows, isZeroRated, supplyTypeOf } from './gstr1.js';

/** The sections of the golden file: the name, the columns, and a line for each row. */
const GOLDEN = new Map(
  readFileSync(new URL('golden/gstr1.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n\n')
    .map((section) => section.split('\n'))
    .map(([name, ...lines]) => [name!, lines]),
);

const filesOf = (...parts: DocumentPart[]) =>
  Object.fromEntries(
    taxReturn(parts)
      .files()
      .map(({ name, rows }) => [name, rows]),
  );

const NOTE = { kind: 'credit_note', number: 'CN-2627-0000001' } as const;
const REGISTERED = { gstin: '29AAPFU0939F1ZR' };
const FAR = { placeOfSupply: '27' };
const LARGE = 100_000_00;

describe('GSTR-1', () => {
  it.each([...GOLDEN])('has the section %s of November as its golden file', (section, lines) => {
    const { columns, rows } = taxReturn(NOVEMBER)
      .files()
      .find(({ name }) => name === section)!;
    const cells = rows.map((row) => columns.map((column) => row[column]).join(';'));
    expect([columns.join(';'), ...cells]).toEqual(lines);
  });

  it('has all sections, also without documents', () => {
    const files = taxReturn([]).files();
    expect(files.map(({ name }) => name)).toEqual([...GOLDEN.keys()]);
    expect(files.flatMap(({ rows }) => rows)).toHaveLength(4);
  });

  it('names the documents whose goods left in an earlier month', () => {
    expect(taxReturn(NOVEMBER).lateNumbers).toEqual(['INV-2627-0000005']);
  });

  it('has none of the amounts of a note without tax, and of a receipt', () => {
    const note = documentPart({ ...NOTE, ...REGISTERED, rate: 0, isWithoutTax: true });
    const receipt = documentPart({ kind: 'receipt_voucher', number: 'RV-2627-0000001' });
    const { docs, ...others } = filesOf(note, receipt);
    const { docs: _, ...empty } = filesOf();
    expect(docs).toHaveLength(2);
    expect(others).toEqual(empty);
  });

  it('writes days with the name of their month', () => {
    const days = Array.from({ length: 12 }, (_, at) => `2026-${String(at + 1).padStart(2, '0')}-05`);
    const parts = days.map((issuedOn, at) =>
      documentPart({ ...REGISTERED, issuedOn, number: `INV-2627-${String(at + 1).padStart(7, '0')}` }),
    );
    expect(filesOf(...parts).b2b!.map((row) => row['Invoice date']!.split('-')[1])).toEqual(
      'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
    );
  });

  it.each<[string, string, Partial<DocumentPart>]>([
    ['an invoice in the state, however large', 'b2cs', { value: LARGE * 9 }],
    ['an invoice to another state, up to ₹1,00,000', 'b2cs', { value: LARGE, ...FAR }],
    ['an invoice to another state, above ₹1,00,000', 'b2cl', { value: LARGE + 1, ...FAR }],
    ['a large invoice to a registered client', 'b2b', { value: LARGE * 9, ...FAR, ...REGISTERED }],
    ['a note of a small invoice', 'cdnr', { ...NOTE, ...REGISTERED }],
    ['a small note of a small invoice', 'b2cs', { ...NOTE, invoiceValue: LARGE, ...FAR }],
    ['a small note of a large invoice', 'cdnur', { ...NOTE, invoiceValue: LARGE + 1, ...FAR }],
    ['a small note of a large invoice in the state', 'b2cs', { ...NOTE, invoiceValue: LARGE + 1 }],
  ])('has %s only in %s', (_, section, given) => {
    const files = filesOf(documentPart(given));
    const filled = ['b2b', 'b2cl', 'b2cs', 'cdnr', 'cdnur'].filter((name) => files[name]!.length > 0);
    expect(filled).toEqual([section]);
  });

  const goods = documentPart();
  const delivery = documentPart({ unit: null, quantity: 1, taxable: 50_00 });

  it.each<[string, DocumentPart[], string[]]>([
    [
      'to goods with its code and its rate, and adds no unit',
      [delivery, documentPart({ rate: 5 }), documentPart({ hsn: '6110' }), goods],
      ['6109 5% NOS-NUMBERS 2 105.00', '6110 18% NOS-NUMBERS 2 118.00', '6109 18% NOS-NUMBERS 2 177.00'],
    ],
    ['to no goods of another client', [delivery, documentPart(REGISTERED)], ['6109 18% OTH-OTHERS 0 59.00']],
    ['with its sign', [goods, { ...delivery, ...NOTE }], ['6109 18% NOS-NUMBERS 2 59.00']],
  ])('adds a delivery charge %s', (_, parts, rows) => {
    const texts = filesOf(...parts)['hsn(b2c)']!.map(
      (row) => `${row.HSN} ${row.Rate}% ${row.UQC} ${row['Total Quantity']} ${row['Total Value']}`,
    );
    expect(texts).toEqual(rows);
  });

  it('has one row for a service with two units', () => {
    const service = (unit: string) => documentPart({ hsn: '996812', unit });
    expect(filesOf(service('NOS'), service('PAC'))['hsn(b2c)']).toMatchObject([
      { 'Taxable Value': '200.00' },
    ]);
  });

  const after = (number: number, numberBefore: string) => ({
    number: `INV-2627-000000${number}`,
    numberBefore,
  });

  it.each<[string, Partial<DocumentPart>[], string]>([
    ['before the first document', [after(7, 'INV-2627-0000004')], '5 to 7: 3, 2'],
    [
      'between two documents',
      [{}, ...[18, 5].map((rate) => ({ ...after(7, 'INV-2627-0000001'), rate }))],
      '1 to 7: 7, 5',
    ],
    ['of a series after another year', [after(2, 'INV-2526-0000006')], '1 to 2: 2, 1'],
    ['of a series after another kind', [after(2, 'CN-2627-0000006')], '1 to 2: 2, 1'],
    ['of the first series', [after(2, '')], '1 to 2: 2, 1'],
  ])('counts skipped numbers as cancelled: %s', (_, parts, counts) => {
    const rows = filesOf(...parts.map(documentPart)).docs!.map(
      (row) =>
        `${Number(row['Sr. No. From']!.slice(-7))} to ${Number(row['Sr. No. To']!.slice(-7))}: ` +
        `${row['Total Number']}, ${row.Cancelled}`,
    );
    expect(rows).toEqual([counts]);
  });
});

describe('A row of GSTR-1', () => {
  it('stands with the rows of its document', () => {
    const rows = ['A5', 'B5', 'A18'].map((name) => ({ name }));
    const groups = groupRows(
      rows,
      ({ name }) => ({ document: name![0] }),
      (group) => group.map(({ name }) => name),
    );
    expect(groups).toEqual([['A5', 'A18'], ['B5']]);
  });

  it.each([
    [{ 'Invoice Type': 'SEZ supplies with payment' }, 'SEZ supplies with payment', true],
    [{ 'Note Supply Type': 'SEZ supplies with payment' }, 'SEZ supplies with payment', true],
    [{ 'Invoice Type': 'Regular B2B' }, 'Regular B2B', false],
    [{}, '', false],
  ])('%j has its kind of supply', (row: Record<string, string>, type, isZero) => {
    expect([supplyTypeOf(row), isZeroRated(row)]).toEqual([type, isZero]);
  });
});
