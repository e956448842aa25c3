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
/** As the specification of the portal's "Save GSTR1" request, version 4.0. */
export const GSTR1_SCHEMA = closed(
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
