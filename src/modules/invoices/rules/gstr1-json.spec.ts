import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { documentPart, NOVEMBER, SELLER_GSTIN, taxReturn } from '../../../../test/support/gst-month.js';
import { GSTR1_SCHEMA } from '../../../../test/support/gstr1-schema.js';
import type { DocumentPart } from './gstr1.js';
import { gstr1Json } from './gstr1-json.js';
import { gstr3bSummary } from './gstr3b.js';

const jsonOf = (parts: readonly DocumentPart[]) =>
  gstr1Json(taxReturn(parts).rows(), SELLER_GSTIN, '2026-11');

/** The file as the lines of its golden file: a line for each row of a list, with the path of the list. */
function linesOf(json: object, path: string[] = []): object[] {
  return Object.entries(json).flatMap(([name, value]: [string, unknown]) => {
    const own = [...path, name];
    if (Array.isArray(value)) return value.map((row: unknown) => ({ [own.join('.')]: row }));
    return typeof value === 'object' ? linesOf(value!, own) : [{ [own.join('.')]: value }];
  });
}

const GOLDEN = readFileSync(new URL('golden/gstr1.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as object);
const HEAD = { gstin: SELLER_GSTIN, fp: '112026', version: 'GST3.2.4', hash: 'hash' };

describe('The JSON file of GSTR-1', () => {
  it('has the documents of November as its golden file', () => {
    expect(linesOf(jsonOf(NOVEMBER))).toEqual(GOLDEN);
  });

  it.each([
    ['a month', NOVEMBER],
    ['a month without documents', []],
  ])('fits the schema of the portal: %s', (_, parts) => {
    const validate = new Ajv({ strict: false }).compile(GSTR1_SCHEMA);
    expect(validate(jsonOf(parts)) || validate.errors).toBe(true);
  });

  it('leaves out empty sections', () => {
    expect(jsonOf([])).toEqual(HEAD);
    const { b2cs, hsn, doc_issue: series, ...others } = jsonOf([documentPart()]) as Record<string, object>;
    expect(others).toEqual(HEAD);
    expect([b2cs, Object.keys(hsn!), series]).toEqual([expect.any(Array), ['hsn_b2c'], expect.anything()]);
  });
});

describe('The summary for GSTR-3B', () => {
  const summaryOf = (parts: readonly DocumentPart[]) => {
    const { name, columns, rows } = gstr3bSummary(taxReturn(parts).rows(), SELLER_GSTIN);
    return {
      name,
      lines: [columns, ...rows.map((row) => columns.map((column) => row[column]))].map((row) =>
        row.join(';'),
      ),
    };
  };
  const COLUMNS =
    'Table;Supplies;Place Of Supply;Taxable Value;Integrated Tax Amount;Central Tax Amount;' +
    'State/UT Tax Amount;Cess Amount';

  it('has tables 3.1 and 3.2, less the credit notes, sorted by place', () => {
    expect(summaryOf(NOVEMBER)).toEqual({
      name: 'gstr3b',
      lines: [
        COLUMNS,
        '3.1(a);Taxable, not zero rated;;91541.00;16281.66;77.12;77.10;0.00',
        '3.1(b);Zero rated;;99.00;17.82;0.00;0.00;0.00',
        '3.1(c);Nil rated, exempted;;48.00;0.00;0.00;0.00;0.00',
        '3.1(e);Non-GST;;100.00;0.00;0.00;0.00;0.00',
        '3.2;Inter-State to unregistered persons;01-Jammu & Kashmir;30.00;5.40;0.00;0.00;0.00',
        '3.2;Inter-State to unregistered persons;07-Delhi;89994.00;16198.92;0.00;0.00;0.00',
        '3.2;Inter-State to UIN holders;07-Delhi;98.00;17.64;0.00;0.00;0.00',
      ],
    });
  });

  it('has zeros without documents', () => {
    expect(summaryOf([]).lines.slice(1)).toEqual([
      '3.1(a);Taxable, not zero rated;;0.00;0.00;0.00;0.00;0.00',
      '3.1(b);Zero rated;;0.00;0.00;0.00;0.00;0.00',
      '3.1(c);Nil rated, exempted;;0.00;0.00;0.00;0.00;0.00',
      '3.1(e);Non-GST;;0.00;0.00;0.00;0.00;0.00',
    ]);
  });
});
