import { groupBy } from '../../../platform/lists/group-by.js';
import { type Minor, numericFromMinor } from '../../../platform/money/money.js';
import type { Day } from '../../../platform/time/time.js';
import { type GstTreatment, isService } from '../../tax/goods-law.js';
import { type GstCategory, STATES, UNIT_CODES } from '../../tax/gst-codes.js';
import {
  BILLED_SIGN,
  type DocumentKind,
  formatDocumentNumber,
  parseDocumentNumber,
  seriesName,
} from './document-number.js';
import { AMOUNTS, COLUMNS, EXEMPT, MONTHS, NATURES, NIL, NON_GST, PLACE } from './gstr1-names.js';
import { isHomeSupply } from './tax.js';

interface Sums {
  quantity: number;
  gross: Minor;
  taxable: Minor;
  cgst: Minor;
  sgst: Minor;
  igst: Minor;
}

/** The items of a document with one HSN code, rate and unit. */
export interface DocumentPart extends Sums {
  kind: DocumentKind;
  number: string;
  issuedOn: Day;
  /** The day on which the goods left, if it was earlier. */
  suppliedOn: Day | null;
  /** A note after the time for a credit of tax. The return lists only its number. */
  isWithoutTax: boolean;
  /** The IRN of the document, or of the invoice that it changes, was cancelled. Only its number counts. */
  isCancelled: boolean;
  /** The last number before this one, of any series. Empty for the first of all. */
  numberBefore: string;
  /** The whole document. */
  value: Minor;
  /** The invoice itself, or the one that a note changes. */
  invoiceValue: Minor;
  gstin: string | null;
  gstCategory: GstCategory | null;
  client: string;
  sellerState: string;
  placeOfSupply: string;
  hsn: string;
  /** In percent, such as 18. */
  rate: number;
  /** Why it has no tax at the rate 0. */
  treatment: GstTreatment;
  /** Null for a delivery charge, which belongs to its goods. */
  unit: string | null;
}

/** A file of the return, with the columns of the portal's offline tool. */
export interface Gstr1File {
  name: string;
  columns: readonly string[];
  rows: Record<string, string>[];
}

/** Inter-state invoices above it to unregistered clients stand alone (Rule 59(4), from August 2024). */
const LARGE: Minor = 100_000_00;

type Section = 'b2b' | 'b2cl' | 'b2cs' | 'cdnr' | 'cdnur';
export type SectionRow = Record<string, string>;

export type Gstr1Rows = Record<keyof typeof COLUMNS, SectionRow[]>;

/** The numbers of a series. Those without a document were skipped after a restore, and count as cancelled. */
interface SeriesCount {
  kind: DocumentKind;
  from: string;
  to: string;
  count: number;
  cancelled: number;
}

/** Adds up the documents of a month. They come sorted by number, with the parts of each together. */
export class Gstr1 {
  private readonly taxed = new Map<string, { section: Section; part: DocumentPart }>();
  private readonly nil = new Map<string, Minor>();
  private readonly goods = new Map<string, DocumentPart>();
  private readonly series = new Map<string, SeriesCount>();
  private readonly late = new Set<string>();

  /** The documents whose goods left in an earlier month. The return has them by their own date. */
  get lateNumbers(): string[] {
    return [...this.late];
  }

  add(part: DocumentPart): void {
    this.count(part);
    if (part.suppliedOn && monthOf(part.suppliedOn) < monthOf(part.issuedOn)) this.late.add(part.number);
    const sign = BILLED_SIGN[part.kind];
    if (sign === 0 || part.isWithoutTax || part.isCancelled) return;
    this.addGoods(part, sign);
    if (part.rate === 0) {
      const supply = nilSupplyOf(part) + NIL_COLUMNS[part.treatment];
      this.nil.set(supply, (this.nil.get(supply) ?? 0) + sign * part.taxable);
      return;
    }
    const section = sectionOf(part);
    const isSummed = section === 'b2cs';
    const key = JSON.stringify([section, isSummed ? part.placeOfSupply : part.number, part.rate]);
    const sum = this.taxed.get(key)?.part ?? { ...part, ...ZERO_SUMS };
    this.taxed.set(key, { section, part: addPart(sum, part, isSummed ? sign : 1) });
  }

  files(): Gstr1File[] {
    const rows = this.rows();
    return Object.entries(COLUMNS).map(([name, columns]) => ({
      name,
      columns,
      rows: rows[name as keyof typeof COLUMNS].map((row) =>
        Object.fromEntries(columns.map((column) => [column, row[column] ?? ''])),
      ),
    }));
  }

  /** The rows of the files. Those of documents also have their taxes, which the offline tool calculates. */
  rows(): Gstr1Rows {
    return {
      b2b: this.rowsOf('b2b'),
      b2cl: this.rowsOf('b2cl'),
      b2cs: this.rowsOf('b2cs'),
      cdnr: this.rowsOf('cdnr'),
      cdnur: this.rowsOf('cdnur'),
      exemp: NIL_SUPPLIES.map((supply) => ({
        Description: supply,
        ...Object.fromEntries(
          [NIL, EXEMPT, NON_GST].map((name) => [name, numericFromMinor(this.nil.get(supply + name) ?? 0)]),
        ),
      })),
      'hsn(b2b)': this.goodsOf(true),
      'hsn(b2c)': this.goodsOf(false),
      docs: [...this.series.values()].map(({ kind, from, to, count, cancelled }) => ({
        'Nature of Document': NATURES[kind],
        'Sr. No. From': from,
        'Sr. No. To': to,
        'Total Number': String(count),
        Cancelled: String(cancelled),
      })),
    };
  }

  private count({ kind, number, numberBefore, isCancelled }: DocumentPart): void {
    const { count: own, ...series } = parseDocumentNumber(number)!;
    const name = seriesName(series);
    const before = this.series.get(name);
    if (before?.to === number) return;
    const last = parseDocumentNumber(numberBefore);
    const skipped = own - 1 - (last && seriesName(last) === name ? last.count : 0);
    this.series.set(name, {
      kind,
      from: before?.from ?? formatDocumentNumber(series, own - skipped),
      to: number,
      count: (before?.count ?? 0) + skipped + 1,
      cancelled: (before?.cancelled ?? 0) + skipped + (isCancelled ? 1 : 0),
    });
  }

  /** A delivery charge has no unit of its own, so it joins goods with its HSN code and rate. */
  private addGoods(part: DocumentPart, sign: 1 | -1): void {
    const { gstin, hsn, rate } = part;
    // A service has no unit, and the portal refuses two rows of one code, unit and rate.
    const unit = part.unit && isService(hsn) ? '' : part.unit;
    const key = JSON.stringify([Boolean(gstin), hsn, rate, unit]);
    this.goods.set(key, addPart(this.goods.get(key) ?? { ...part, ...ZERO_SUMS }, part, sign));
  }

  private rowsOf(onlySection: Section): SectionRow[] {
    return [...this.taxed.values()]
      .filter(({ section }) => section === onlySection)
      .map(({ part }) => ({
        ...(onlySection === 'b2cs' ? { Type: 'OE' } : documentRow(part)),
        [PLACE]: placeOf(part.placeOfSupply),
        Rate: String(part.rate),
        ...amountsOf(part),
      }));
  }

  private goodsOf(isRegistered: boolean): SectionRow[] {
    const all = [...this.goods.values()].filter(({ gstin }) => (gstin !== null) === isRegistered);
    const rows = all.filter(({ unit }) => unit !== null);
    for (const delivery of all.filter(({ unit }) => unit === null)) {
      const at = rows.findIndex(({ hsn, rate }) => hsn === delivery.hsn && rate === delivery.rate);
      if (at < 0) rows.push(delivery);
      else rows[at] = addPart(rows[at]!, delivery, 1);
    }
    return rows.map(goodsRow);
  }
}

/** Makes something of the rows with each key, in the order of the first of them. */
export function groupRows<Made>(
  rows: readonly SectionRow[],
  keyOf: (row: SectionRow) => object,
  make: (rows: SectionRow[]) => Made,
): Made[] {
  return [...groupBy(rows, (row) => JSON.stringify(keyOf(row))).values()].map(make);
}

/** The kind of supply of an invoice or a note. */
export const supplyTypeOf = (row: SectionRow): string => row['Invoice Type'] ?? row['Note Supply Type'] ?? '';

/** A supply to a special economic zone. */
export const isZeroRated = (row: SectionRow): boolean => supplyTypeOf(row).startsWith('SEZ');

const monthOf = (day: Day) => day.slice(0, 7);

const ZERO_SUMS: Sums = { quantity: 0, gross: 0, taxable: 0, cgst: 0, sgst: 0, igst: 0 };

function addPart(sum: DocumentPart, part: DocumentPart, sign: 1 | -1): DocumentPart {
  return {
    ...sum,
    // A delivery charge is no unit of the goods.
    quantity: sum.quantity + (part.unit === null ? 0 : sign * part.quantity),
    gross: sum.gross + sign * part.gross,
    taxable: sum.taxable + sign * part.taxable,
    cgst: sum.cgst + sign * part.cgst,
    sgst: sum.sgst + sign * part.sgst,
    igst: sum.igst + sign * part.igst,
  };
}

const isInterState = ({ sellerState, placeOfSupply, gstCategory }: DocumentPart) =>
  !isHomeSupply(placeOfSupply, { seller: { state: sellerState }, client: { gst_category: gstCategory } });

/** Notes to unregistered clients stand alone only if their invoice does. */
function sectionOf(part: DocumentPart): Section {
  const isInvoice = part.kind === 'invoice';
  if (part.gstin !== null) return isInvoice ? 'b2b' : 'cdnr';
  if (!isInterState(part) || part.invoiceValue <= LARGE) return 'b2cs';
  return isInvoice ? 'b2cl' : 'cdnur';
}

const NIL_SUPPLIES = [
  'Inter-State supplies to registered persons',
  'Intra-State supplies to registered persons',
  'Inter-State supplies to unregistered persons',
  'Intra-State supplies to unregistered persons',
];

const NIL_COLUMNS: Record<GstTreatment, string> = {
  taxable: NIL,
  nil_rated: NIL,
  exempt: EXEMPT,
  non_gst: NON_GST,
};

function nilSupplyOf(part: DocumentPart): string {
  return NIL_SUPPLIES[(part.gstin === null ? 2 : 0) + (isInterState(part) ? 0 : 1)]!;
}

/** The files of unregistered clients have no columns for the recipient. */
function documentRow({
  kind,
  number,
  issuedOn,
  value,
  gstin,
  gstCategory,
  client,
}: DocumentPart): SectionRow {
  const [day, amount] = [dateOf(issuedOn), numericFromMinor(value)];
  const type = gstCategory === 'sez' ? 'SEZ supplies with payment' : 'Regular B2B';
  const recipient = {
    'GSTIN/UIN of Recipient': String(gstin),
    'Receiver Name': client,
    'Reverse Charge': 'N',
  };
  if (kind === 'invoice')
    return {
      ...recipient,
      'Invoice Number': number,
      'Invoice date': day,
      'Invoice Value': amount,
      'Invoice Type': type,
    };
  return {
    ...recipient,
    'UR Type': 'B2CL',
    'Note Number': number,
    'Note Date': day,
    'Note Type': kind === 'debit_note' ? 'D' : 'C',
    'Note Value': amount,
    'Note Supply Type': type,
  };
}

function goodsRow({ hsn, unit, rate, quantity, ...sums }: DocumentPart): SectionRow {
  return {
    HSN: hsn,
    UQC: isService(hsn) ? 'NA' : unitOf(unit),
    'Total Quantity': String(isService(hsn) ? 0 : quantity),
    'Total Value': numericFromMinor(sums.gross),
    Rate: String(rate),
    ...amountsOf(sums),
  };
}

function amountsOf({ taxable, igst, cgst, sgst }: Omit<Sums, 'quantity' | 'gross'>): SectionRow {
  const amounts = [taxable, igst, cgst, sgst, 0].map(numericFromMinor);
  return Object.fromEntries(AMOUNTS.map((name, at) => [name, amounts[at]!]));
}

/** "NOS-NUMBERS". */
function unitOf(unit: string | null): string {
  return unit ? `${unit}-${UNIT_CODES.get(unit) ?? unit}` : 'OTH-OTHERS';
}

/** "01-Jammu & Kashmir": the portal's names have this sign. */
function placeOf(state: string): string {
  return `${state}-${STATES.get(state)!.replaceAll(' and ', ' & ')}`;
}

/** "01-Nov-2026". */
function dateOf(day: Day): string {
  const [year, month, date] = day.split('-') as [string, string, string];
  return `${date}-${MONTHS[Number(month) - 1]}-${year}`;
}
