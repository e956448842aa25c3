import type { Month } from '../../../platform/time/time.js';
import { groupRows, type Gstr1Rows, isZeroRated, type SectionRow as Row, supplyTypeOf } from './gstr1.js';
import {
  DOCUMENT_NUMBERS,
  EXEMPT,
  INVOICE_TYPES,
  MONTHS,
  NIL,
  NIL_TYPES,
  NON_GST,
  PLACE,
} from './gstr1-names.js';

/** The return as the JSON file of the portal, from the rows of the CSV files. Empty sections are left out. */
export function gstr1Json(rows: Gstr1Rows, gstin: string, lastMonth: Month): object {
  const home = gstin.slice(0, 2);
  const [year, month] = lastMonth.split('-') as [string, string];
  const sections = {
    b2b: groupRows(rows.b2b, ctinOf, (all) => ({
      ...ctinOf(all[0]!),
      inv: documents(all, home, registered),
    })),
    b2cl: groupRows(rows.b2cl, posOf, (all) => ({ ...posOf(all[0]!), inv: documents(all, home) })),
    b2cs: rows.b2cs.map((row) => ({
      sply_ty: posOf(row).pos === home ? 'INTRA' : 'INTER',
      ...posOf(row),
      typ: row.Type,
      ...detailOf(row, home),
    })),
    cdnr: groupRows(rows.cdnr, ctinOf, (all) => ({
      ...ctinOf(all[0]!),
      nt: documents(all, home, registered),
    })),
    cdnur: documents(rows.cdnur, home, (row) => ({ typ: row['UR Type'], ...posOf(row) })),
    nil: rows.exemp
      .filter((row) => [NIL, EXEMPT, NON_GST].some((name) => amount(row, name) !== 0))
      .map((row) => ({
        sply_ty: NIL_TYPES[row.Description!],
        nil_amt: amount(row, NIL),
        expt_amt: amount(row, EXEMPT),
        ngsup_amt: amount(row, NON_GST),
      })),
    hsn_b2b: rows['hsn(b2b)'].map(goodsOf),
    hsn_b2c: rows['hsn(b2c)'].map(goodsOf),
    doc_det: groupRows(
      rows.docs,
      (row) => ({ doc_num: DOCUMENT_NUMBERS[row['Nature of Document']!] }),
      seriesOf,
    ),
  };
  const { nil, hsn_b2b, hsn_b2c, doc_det, ...lists } = sections;
  return {
    gstin,
    fp: `${month}${year}`,
    version: 'GST3.2.4',
    hash: 'hash',
    ...withoutEmpty(lists),
    ...(nil.length > 0 && { nil: { inv: nil } }),
    ...(hsn_b2b.length + hsn_b2c.length > 0 && { hsn: withoutEmpty({ hsn_b2b, hsn_b2c }) }),
    ...(doc_det.length > 0 && { doc_issue: { doc_det } }),
  };
}

const withoutEmpty = (lists: Record<string, object[]>) =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

const amount = (row: Row, name: string) => Number(row[name]);
const ctinOf = (row: Row) => ({ ctin: row['GSTIN/UIN of Recipient'] });
const posOf = (row: Row) => ({ pos: row[PLACE]!.slice(0, 2) });

const registered = (row: Row) => ({
  ...posOf(row),
  rchrg: row['Reverse Charge'],
  inv_typ: INVOICE_TYPES[supplyTypeOf(row)],
});

/** A document has a row for each of its rates. */
function documents(rows: readonly Row[], home: string, more?: (row: Row) => object): object[] {
  const key = (row: Row) => ({ number: row['Invoice Number'] ?? row['Note Number'] });
  return groupRows(rows, key, (all) => ({
    ...headOf(all[0]!),
    ...more?.(all[0]!),
    itms: all.map((row, at) => ({ num: at + 1, itm_det: detailOf(row, home) })),
  }));
}

function headOf(row: Row) {
  const number = row['Invoice Number'];
  if (number !== undefined)
    return { inum: number, idt: dateOf(row['Invoice date']!), val: amount(row, 'Invoice Value') };
  return {
    ntty: row['Note Type'],
    nt_num: row['Note Number'],
    nt_dt: dateOf(row['Note Date']!),
    val: amount(row, 'Note Value'),
  };
}

/** A supply to a special economic zone is between states, wherever it is (section 7(5) of the IGST Act). */
function detailOf(row: Row, home: string) {
  const isWithinState = posOf(row).pos === home && !isZeroRated(row);
  return {
    rt: amount(row, 'Rate'),
    txval: amount(row, 'Taxable Value'),
    ...(isWithinState
      ? { camt: amount(row, 'Central Tax Amount'), samt: amount(row, 'State/UT Tax Amount') }
      : { iamt: amount(row, 'Integrated Tax Amount') }),
    csamt: amount(row, 'Cess Amount'),
  };
}

function goodsOf(row: Row, at: number) {
  return {
    num: at + 1,
    hsn_sc: row.HSN,
    uqc: row.UQC!.split('-')[0],
    qty: amount(row, 'Total Quantity'),
    rt: amount(row, 'Rate'),
    txval: amount(row, 'Taxable Value'),
    iamt: amount(row, 'Integrated Tax Amount'),
    camt: amount(row, 'Central Tax Amount'),
    samt: amount(row, 'State/UT Tax Amount'),
    csamt: amount(row, 'Cess Amount'),
  };
}

function seriesOf(rows: Row[]) {
  return {
    doc_num: DOCUMENT_NUMBERS[rows[0]!['Nature of Document']!],
    docs: rows.map((row, at) => ({
      num: at + 1,
      from: row['Sr. No. From'],
      to: row['Sr. No. To'],
      totnum: amount(row, 'Total Number'),
      cancel: amount(row, 'Cancelled'),
      net_issue: amount(row, 'Total Number') - amount(row, 'Cancelled'),
    })),
  };
}

/** "01-11-2026", from "01-Nov-2026". */
function dateOf(text: string): string {
  const [day, month, year] = text.split('-') as [string, string, string];
  return `${day}-${String(101 + MONTHS.indexOf(month)).slice(1)}-${year}`;
}
