import type { DocumentKind } from './document-number.js';

// Names of the portal's offline tool. They are not mutated, because a suite could only repeat them.

const INVOICE = ['Invoice Number', 'Invoice date', 'Invoice Value'];
const NOTE = ['Note Number', 'Note Date', 'Note Type'];
const RECIPIENT = ['GSTIN/UIN of Recipient', 'Receiver Name'];
export const PLACE = 'Place Of Supply';
const PART = 'Applicable % of Tax Rate';
const TAXABLE = ['Rate', 'Taxable Value', 'Cess Amount'];
const SHOP = 'E-Commerce GSTIN';
export const NIL = 'Nil Rated Supplies';
export const EXEMPT = 'Exempted(other than nil rated/non GST supply)';
export const NON_GST = 'Non-GST Supplies';
const HSN_TAXES = [
  'Taxable Value',
  'Integrated Tax Amount',
  'Central Tax Amount',
  'State/UT Tax Amount',
  'Cess Amount',
];
const HSN = ['HSN', 'Description', 'UQC', 'Total Quantity', 'Total Value', 'Rate', ...HSN_TAXES];

/** The files by their names in the offline tool. */
export const COLUMNS = {
  b2b: [...RECIPIENT, ...INVOICE, PLACE, 'Reverse Charge', PART, 'Invoice Type', SHOP, ...TAXABLE],
  b2cl: [...INVOICE, PLACE, PART, ...TAXABLE, SHOP],
  b2cs: ['Type', PLACE, PART, ...TAXABLE, SHOP],
  cdnr: [...RECIPIENT, ...NOTE, PLACE, 'Reverse Charge', 'Note Supply Type', 'Note Value', PART, ...TAXABLE],
  cdnur: ['UR Type', ...NOTE, PLACE, 'Note Value', PART, ...TAXABLE],
  exemp: ['Description', NIL, EXEMPT, NON_GST],
  'hsn(b2b)': HSN,
  'hsn(b2c)': HSN,
  docs: ['Nature of Document', 'Sr. No. From', 'Sr. No. To', 'Total Number', 'Cancelled'],
};

export const NATURES: Record<DocumentKind, string> = {
  invoice: 'Invoices for outward supply',
  credit_note: 'Credit Note',
  debit_note: 'Debit Note',
  receipt_voucher: 'Receipt Voucher',
  refund_voucher: 'Refund Voucher',
};

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
