import { Ajv } from 'ajv';
import type { Gstr1Rows } from './gstr1.js';
import { gstr1Json } from './gstr1-json.js';
import { gstr3bSummary } from './gstr3b.js';

const HOME = '29AAGCB7383J1Z4';
const FAR = '27AAPFU0939F1ZV';

const amounts = (taxable: string, igst = '0.00', half = '0.00') => ({
  'Taxable Value': taxable,
  'Integrated Tax Amount': igst,
  'Central Tax Amount': half,
  'State/UT Tax Amount': half,
  'Cess Amount': '0.00',
});
const invoice = (number: string, gstin: string | null, rest: object = {}) => ({
  'GSTIN/UIN of Recipient': String(gstin),
  'Reverse Charge': 'N',
  'Invoice Number': number,
  'Invoice date': '06-Nov-2026',
  'Invoice Value': '118.00',
  'Invoice Type': 'Regular B2B',
  'Place Of Supply': '27-Maharashtra',
  Rate: '18',
  ...amounts('100.00', '18.00'),
  ...rest,
});
const note = (number: string, gstin: string | null, type: 'C' | 'D', rest: object = {}) => ({
  'GSTIN/UIN of Recipient': String(gstin),
  'Reverse Charge': 'N',
  'UR Type': 'B2CL',
  'Note Number': number,
  'Note Date': '07-Dec-2026',
  'Note Type': type,
  'Note Value': '11.80',
  'Note Supply Type': 'Regular B2B',
  'Place Of Supply': '27-Maharashtra',
  Rate: '18',
  ...amounts('10.00', '1.80'),
  ...rest,
});
const nil = (description: string, ...[one, two, three]: string[]) => ({
  Description: description,
  'Nil Rated Supplies': one ?? '0.00',
  'Exempted(other than nil rated/non GST supply)': two ?? '0.00',
  'Non-GST Supplies': three ?? '0.00',
});
const goods = {
  HSN: '6109',
  UQC: 'NOS-NUMBERS',
  'Total Quantity': '5',
  Rate: '18',
  ...amounts('100.00', '18.00', '1.00'),
};
const series = (nature: string, from: string, to: string, total: string, cancelled: string) => ({
  'Nature of Document': nature,
  'Sr. No. From': from,
  'Sr. No. To': to,
  'Total Number': total,
  Cancelled: cancelled,
});

const EMPTY: Gstr1Rows = {
  b2b: [],
  b2cl: [],
  b2cs: [],
  cdnr: [],
  cdnur: [],
  exemp: [],
  'hsn(b2b)': [],
  'hsn(b2c)': [],
  docs: [],
};
const ROWS: Gstr1Rows = {
  b2b: [
    invoice('INV-1', FAR),
    invoice('INV-2', HOME, { 'Place Of Supply': '29-Karnataka', ...amounts('50.00', '0.00', '4.50') }),
    invoice('INV-1', FAR, { Rate: '5', ...amounts('20.00', '1.00') }),
    invoice('INV-3', FAR, { 'Place Of Supply': '29-Karnataka', 'Invoice Type': 'SEZ supplies with payment' }),
  ],
  b2cl: [invoice('INV-4', null), invoice('INV-5', null, { 'Place Of Supply': '07-Delhi' })],
  b2cs: [
    { Type: 'OE', 'Place Of Supply': '29-Karnataka', Rate: '18', ...amounts('-10.00', '0.00', '-0.90') },
    { Type: 'OE', 'Place Of Supply': '27-Maharashtra', Rate: '18', ...amounts('30.00', '5.40') },
  ],
  cdnr: [note('CN-1', FAR, 'C'), note('DN-1', FAR, 'D')],
  cdnur: [note('CN-2', null, 'C')],
  exemp: [
    nil('Inter-State supplies to registered persons'),
    nil('Intra-State supplies to registered persons', '1.00'),
    nil('Inter-State supplies to unregistered persons', '0.00', '2.00'),
    nil('Intra-State supplies to unregistered persons', '0.00', '0.00', '-3.00'),
  ],
  'hsn(b2b)': [goods, { ...goods, UQC: 'NA' }],
  'hsn(b2c)': [goods],
  docs: [
    series('Invoices for outward supply', 'INV-1', 'INV-5', '5', '1'),
    series('Credit Note', 'CN-1', 'CN-2', '2', '0'),
    series('Invoices for outward supply', 'INV2-1', 'INV2-1', '1', '0'),
  ],
};

/** As the specification of the portal's "Save GSTR1" request, version 4.0. */
const NUMBER = { type: 'number' };
const DATE = { type: 'string', pattern: '^\\d{2}-\\d{2}-\\d{4}$' };
const POS = { type: 'string', pattern: '^\\d{2}$' };
const closed = (properties: object, optional: string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const listOf = (items: object) => ({ type: 'array', minItems: 1, items });
const TAXES = { iamt: NUMBER, camt: NUMBER, samt: NUMBER, csamt: NUMBER };
const OPTIONAL = ['iamt', 'camt', 'samt'];
const ITEMS = listOf(
  closed({ num: NUMBER, itm_det: closed({ rt: NUMBER, txval: NUMBER, ...TAXES }, OPTIONAL) }),
);
const TYPED = { pos: POS, rchrg: { enum: ['N'] }, inv_typ: { enum: ['R', 'SEWP', 'SEWOP', 'DE'] } };
const HEAD = { inum: { type: 'string', maxLength: 16 }, idt: DATE, val: NUMBER, itms: ITEMS };
const NOTE = {
  ntty: { enum: ['C', 'D'] },
  nt_num: { type: 'string', maxLength: 16 },
  nt_dt: DATE,
  val: NUMBER,
  itms: ITEMS,
};
const GOODS = listOf(
  closed({
    num: NUMBER,
    hsn_sc: { type: 'string' },
    uqc: { type: 'string', pattern: '^[A-Z]{2,3}$' },
    qty: NUMBER,
    rt: NUMBER,
    txval: NUMBER,
    ...TAXES,
  }),
);
const SCHEMA = closed(
  {
    gstin: { type: 'string', pattern: '^\\d{2}[A-Z0-9]{13}$' },
    fp: { type: 'string', pattern: '^(0[1-9]|1[0-2])20\\d{2}$' },
    version: { type: 'string' },
    hash: { type: 'string' },
    b2b: listOf(closed({ ctin: { type: 'string' }, inv: listOf(closed({ ...HEAD, ...TYPED })) })),
    b2cl: listOf(closed({ pos: POS, inv: listOf(closed(HEAD)) })),
    b2cs: listOf(
      closed(
        {
          sply_ty: { enum: ['INTRA', 'INTER'] },
          pos: POS,
          typ: { enum: ['OE'] },
          rt: NUMBER,
          txval: NUMBER,
          ...TAXES,
        },
        OPTIONAL,
      ),
    ),
    cdnr: listOf(closed({ ctin: { type: 'string' }, nt: listOf(closed({ ...NOTE, ...TYPED })) })),
    cdnur: listOf(closed({ ...NOTE, pos: POS, typ: { enum: ['B2CL'] } })),
    nil: closed({
      inv: listOf(
        closed({
          sply_ty: { enum: ['INTRB2B', 'INTRAB2B', 'INTRB2C', 'INTRAB2C'] },
          nil_amt: NUMBER,
          expt_amt: NUMBER,
          ngsup_amt: NUMBER,
        }),
      ),
    }),
    hsn: closed({ hsn_b2b: GOODS, hsn_b2c: GOODS }, ['hsn_b2b', 'hsn_b2c']),
    doc_issue: closed({
      doc_det: listOf(
        closed({
          doc_num: NUMBER,
          docs: listOf(
            closed({
              num: NUMBER,
              from: { type: 'string' },
              to: { type: 'string' },
              totnum: NUMBER,
              cancel: NUMBER,
              net_issue: NUMBER,
            }),
          ),
        }),
      ),
    }),
  },
  ['b2b', 'b2cl', 'b2cs', 'cdnr', 'cdnur', 'nil', 'hsn', 'doc_issue'],
);

describe('The JSON file of GSTR-1', () => {
  const json = gstr1Json(ROWS, HOME, '2026-11') as Record<string, unknown>;

  it('fits the schema of the portal', () => {
    const validate = new Ajv({ strict: false }).compile(SCHEMA);
    expect(validate(json) || validate.errors).toBe(true);
    expect(validate(gstr1Json(EMPTY, HOME, '2026-11')) || validate.errors).toBe(true);
  });

  it('has only its head without documents', () => {
    expect(gstr1Json(EMPTY, HOME, '2026-11')).toEqual({
      gstin: HOME,
      fp: '112026',
      version: 'GST3.2.4',
      hash: 'hash',
    });
    expect(gstr1Json({ ...EMPTY, 'hsn(b2c)': [goods] }, HOME, '2026-11')).toHaveProperty('hsn.hsn_b2c');
    expect(gstr1Json({ ...EMPTY, 'hsn(b2c)': [goods] }, HOME, '2026-11')).not.toHaveProperty('hsn.hsn_b2b');
  });

  it('has the rates of a document together, and the documents of a client', () => {
    expect(json.b2b).toEqual([
      {
        ctin: FAR,
        inv: [
          {
            inum: 'INV-1',
            idt: '06-11-2026',
            val: 118,
            pos: '27',
            rchrg: 'N',
            inv_typ: 'R',
            itms: [
              { num: 1, itm_det: { rt: 18, txval: 100, iamt: 18, csamt: 0 } },
              { num: 2, itm_det: { rt: 5, txval: 20, iamt: 1, csamt: 0 } },
            ],
          },
          // A special economic zone is never within the state.
          expect.objectContaining({
            inum: 'INV-3',
            pos: '29',
            inv_typ: 'SEWP',
            itms: [{ num: 1, itm_det: { rt: 18, txval: 100, iamt: 18, csamt: 0 } }],
          }),
        ],
      },
      {
        ctin: HOME,
        inv: [
          expect.objectContaining({
            pos: '29',
            itms: [{ num: 1, itm_det: { rt: 18, txval: 50, camt: 4.5, samt: 4.5, csamt: 0 } }],
          }),
        ],
      },
    ]);
    expect(json.b2cl).toEqual([
      {
        pos: '27',
        inv: [
          {
            inum: 'INV-4',
            idt: '06-11-2026',
            val: 118,
            itms: [{ num: 1, itm_det: { rt: 18, txval: 100, iamt: 18, csamt: 0 } }],
          },
        ],
      },
      expect.objectContaining({ pos: '07' }),
    ]);
  });

  it('has notes and sums', () => {
    const itms = [{ num: 1, itm_det: { rt: 18, txval: 10, iamt: 1.8, csamt: 0 } }];
    const head = { nt_dt: '07-12-2026', val: 11.8, pos: '27', itms };
    expect(json.cdnr).toEqual([
      {
        ctin: FAR,
        nt: [
          { ntty: 'C', nt_num: 'CN-1', ...head, rchrg: 'N', inv_typ: 'R' },
          { ntty: 'D', nt_num: 'DN-1', ...head, rchrg: 'N', inv_typ: 'R' },
        ],
      },
    ]);
    expect(json.cdnur).toEqual([{ typ: 'B2CL', ntty: 'C', nt_num: 'CN-2', ...head }]);
    expect(json.b2cs).toEqual([
      { sply_ty: 'INTRA', pos: '29', typ: 'OE', rt: 18, txval: -10, camt: -0.9, samt: -0.9, csamt: 0 },
      { sply_ty: 'INTER', pos: '27', typ: 'OE', rt: 18, txval: 30, iamt: 5.4, csamt: 0 },
    ]);
    expect(json.nil).toEqual({
      inv: [
        { sply_ty: 'INTRAB2B', nil_amt: 1, expt_amt: 0, ngsup_amt: 0 },
        { sply_ty: 'INTRB2C', nil_amt: 0, expt_amt: 2, ngsup_amt: 0 },
        { sply_ty: 'INTRAB2C', nil_amt: 0, expt_amt: 0, ngsup_amt: -3 },
      ],
    });
  });

  it('has goods and numbers', () => {
    const row = {
      hsn_sc: '6109',
      uqc: 'NOS',
      qty: 5,
      rt: 18,
      txval: 100,
      iamt: 18,
      camt: 1,
      samt: 1,
      csamt: 0,
    };
    expect(json.hsn).toEqual({
      hsn_b2b: [
        { num: 1, ...row },
        { num: 2, ...row, uqc: 'NA' },
      ],
      hsn_b2c: [{ num: 1, ...row }],
    });
    expect(json.doc_issue).toEqual({
      doc_det: [
        {
          doc_num: 1,
          docs: [
            { num: 1, from: 'INV-1', to: 'INV-5', totnum: 5, cancel: 1, net_issue: 4 },
            { num: 2, from: 'INV2-1', to: 'INV2-1', totnum: 1, cancel: 0, net_issue: 1 },
          ],
        },
        { doc_num: 5, docs: [{ num: 1, from: 'CN-1', to: 'CN-2', totnum: 2, cancel: 0, net_issue: 2 }] },
      ],
    });
  });
});

describe('The summary for GSTR-3B', () => {
  const { name, columns, rows } = gstr3bSummary(ROWS, HOME);
  const cells = rows.map((row) => columns.map((column) => row[column]).join(';'));

  it('has tables 3.1 and 3.2, less the credit notes', () => {
    expect(name).toBe('gstr3b');
    expect(columns.join(';')).toBe(
      'Table;Supplies;Place Of Supply;Taxable Value;Integrated Tax Amount;Central Tax Amount;' +
        'State/UT Tax Amount;Cess Amount',
    );
    expect(cells).toEqual([
      // 100 + 50 + 20 + 100 + 100 − 10 + 30 − 10 + 10 − 10
      '3.1(a);Taxable, not zero rated;;380.00;58.60;3.60;3.60;0.00',
      '3.1(b);Zero rated;;100.00;18.00;0.00;0.00;0.00',
      '3.1(c);Nil rated, exempted;;3.00;0.00;0.00;0.00;0.00',
      '3.1(e);Non-GST;;-3.00;0.00;0.00;0.00;0.00',
      '3.2;Inter-State to unregistered persons;07-Delhi;100.00;18.00;0.00;0.00;0.00',
      '3.2;Inter-State to unregistered persons;27-Maharashtra;120.00;21.60;0.00;0.00;0.00',
    ]);
  });

  it('has UIN holders of other states in table 3.2', () => {
    const uin = '0717UNO00157UNO';
    const place = { 'Place Of Supply': '07-Delhi' };
    const { rows: own } = gstr3bSummary(
      {
        ...EMPTY,
        b2b: [
          invoice('INV-1', uin, place),
          invoice('INV-2', uin, { 'Place Of Supply': `${HOME.slice(0, 2)}-Home` }),
          invoice('INV-3', HOME, place),
        ],
        cdnr: [note('CN-1', uin, 'C', place)],
      },
      HOME,
    );
    expect(own.slice(4)).toEqual([
      expect.objectContaining({
        Table: '3.2',
        Supplies: 'Inter-State to UIN holders',
        ...place,
        'Taxable Value': '90.00',
        'Integrated Tax Amount': '16.20',
      }),
    ]);
  });

  it('has zeros without documents', () => {
    const empty = gstr3bSummary(EMPTY, HOME).rows;
    expect(empty.map((row) => row['Taxable Value'])).toEqual(['0.00', '0.00', '0.00', '0.00']);
  });
});
