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
export const AMOUNTS = [
  'Taxable Value',
  'Integrated Tax Amount',
  'Central Tax Amount',
  'State/UT Tax Amount',
  'Cess Amount',
];
const HSN = ['HSN', 'Description', 'UQC', 'Total Quantity', 'Total Value', 'Rate', ...AMOUNTS];

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

/** The codes of the portal's JSON file. */
export const DOCUMENT_NUMBERS: Record<string, number> = {
  'Invoices for outward supply': 1,
  'Debit Note': 4,
  'Credit Note': 5,
  'Receipt Voucher': 6,
  'Refund Voucher': 8,
};

export const INVOICE_TYPES: Record<string, string> = {
  'Regular B2B': 'R',
  'SEZ supplies with payment': 'SEWP',
  'SEZ supplies without payment': 'SEWOP',
  'Deemed Exp': 'DE',
};

export const NIL_TYPES: Record<string, string> = {
  'Inter-State supplies to registered persons': 'INTRB2B',
  'Intra-State supplies to registered persons': 'INTRAB2B',
  'Inter-State supplies to unregistered persons': 'INTRB2C',
  'Intra-State supplies to unregistered persons': 'INTRAB2C',
};

/** The summary for GSTR-3B. */
export const SUMMARY_COLUMNS = ['Table', 'Supplies', PLACE, ...AMOUNTS];

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
