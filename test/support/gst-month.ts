import {
  formatDocumentNumber,
  parseDocumentNumber,
} from '../../src/modules/invoices/rules/document-number.js';
import { type DocumentPart, Gstr1 } from '../../src/modules/invoices/rules/gstr1.js';

/** The seller of all documents is in Karnataka. */
export const SELLER_GSTIN = '29AAGCB7383J1Z4';

type Given = Partial<DocumentPart>;

/** Goods of ₹100 to an unregistered client in the seller's state. The tax follows from rate and place. */
export function documentPart(given: Given = {}): DocumentPart {
  const { number = 'INV-2627-0000001', rate = 18, taxable = 100_00, placeOfSupply = '29' } = given;
  const isWithinState = placeOfSupply === '29' && given.gstCategory !== 'sez';
  const tax = (taxable * rate) / 100;
  const { count, ...series } = parseDocumentNumber(number)!;
  return {
    kind: 'invoice',
    number,
    issuedOn: '2026-11-06',
    suppliedOn: null,
    isWithoutTax: false,
    isCancelled: false,
    numberBefore: count === 1 ? '' : formatDocumentNumber(series, count - 1),
    value: taxable + tax,
    invoiceValue: given.value ?? taxable + tax,
    gstin: null,
    gstCategory: null,
    client: 'Anaya Home',
    sellerState: '29',
    placeOfSupply,
    hsn: '6109',
    rate,
    treatment: 'taxable',
    unit: 'NOS',
    quantity: 2,
    gross: taxable + tax,
    taxable,
    cgst: isWithinState ? tax / 2 : 0,
    sgst: isWithinState ? tax / 2 : 0,
    igst: isWithinState ? 0 : tax,
    ...given,
  };
}

/** A document of one or more parts. */
const documents =
  (kind: DocumentPart['kind'], seller = 1) =>
  (count: number, ...parts: Given[]) => {
    const number = formatDocumentNumber({ kind, year: '2627', seller }, count);
    return parts.map((part) => documentPart({ kind, number, ...part }));
  };

const creditNote = documents('credit_note');
const debitNote = documents('debit_note');
const invoice = documents('invoice');
const invoiceOfSecondSeller = documents('invoice', 2);
const receiptVoucher = documents('receipt_voucher');
const refundVoucher = documents('refund_voucher');

const HERE = { gstin: '29AAPFU0939F1ZR', client: 'Mysuru Mart' };
const FAR = { gstin: '27AAPFU0939F1ZV', client: 'Pune Traders', placeOfSupply: '27' };
const SEZ = { gstin: '29AAACC1206D1ZC', client: 'Export Park', gstCategory: 'sez' } as const;
const EMBASSY = { gstin: '0717UNO00157UNO', client: 'Embassy', placeOfSupply: '07' };
const KASHMIR = { placeOfSupply: '01' };
const LARGE = { placeOfSupply: '07', invoiceValue: 106_200_00 };
const FREE = { rate: 0 };

/** The documents of one month, as they come from the database: sorted by number. */
export const NOVEMBER: readonly DocumentPart[] = [
  ...creditNote(1, { ...FAR, quantity: 1, taxable: 10_00 }),
  ...creditNote(2, { ...LARGE, quantity: 1, taxable: 10_00 }),
  ...creditNote(3, { quantity: 1, taxable: 20_00 }, { ...FREE, treatment: 'exempt', taxable: 5_00 }),
  ...creditNote(4, { ...HERE, isWithoutTax: true }),
  ...creditNote(5, { ...SEZ, taxable: 1_00 }),
  ...creditNote(6, { ...EMBASSY, taxable: 2_00 }),
  ...creditNote(7, { ...HERE, isCancelled: true }),
  ...debitNote(1, { ...HERE, taxable: 3_00 }),
  ...debitNote(2, { ...LARGE, taxable: 4_00 }),
  ...debitNote(3, { taxable: 6_00 }),
  // Numbers 1 and 2 were skipped.
  ...invoice(
    3,
    { ...FAR, value: 338_50, numberBefore: '' },
    { ...FAR, value: 338_50, hsn: '6110' },
    { ...FAR, value: 338_50, rate: 2.5 },
  ),
  ...invoice(4, HERE),
  // Its goods left in October.
  ...invoice(5, { ...FAR, suppliedOn: '2026-10-31' }, { ...FAR, suppliedOn: '2026-10-31', rate: 5 }),
  ...invoice(6, { ...SEZ, suppliedOn: '2026-11-01' }, { ...SEZ, ...FREE, taxable: 7_00 }),
  ...invoice(7, EMBASSY),
  ...invoice(8, { ...LARGE, value: 106_200_00, taxable: 90_000_00 }),
  ...invoice(9, { ...KASHMIR, taxable: 30_00 }),
  // Unlike taxes show that no column has the amount of another one.
  ...invoice(10, { taxable: 200_00, cgst: 18_01, sgst: 17_99 }, { rate: 5 }, { unit: 'KGS' }, { unit: '' }),
  ...invoice(11, { hsn: '996812', unit: 'PAC' }, { unit: null, quantity: 1, taxable: 40_00 }),
  ...invoice(12, { ...FREE, taxable: 9_00 }, { ...FREE, treatment: 'nil_rated', taxable: 1_00 }),
  ...invoice(13, { ...FREE, treatment: 'exempt', taxable: 11_00 }, { ...FREE, treatment: 'non_gst' }),
  ...invoice(14, { ...HERE, ...FREE, taxable: 12_00 }, { ...FAR, ...FREE, taxable: 13_00 }),
  ...invoice(15, { ...EMBASSY, placeOfSupply: '29' }),
  ...invoice(16, { ...HERE, isCancelled: true }, { ...HERE, ...FREE, isCancelled: true }),
  ...invoiceOfSecondSeller(1, {}),
  ...refundVoucher(1, FREE),
  ...receiptVoucher(1, FREE),
  ...receiptVoucher(2, FREE),
];

/** The return of these documents. */
export function taxReturn(parts: readonly DocumentPart[]): Gstr1 {
  const gstr1 = new Gstr1();
  for (const part of parts) gstr1.add(part);
  return gstr1;
}
