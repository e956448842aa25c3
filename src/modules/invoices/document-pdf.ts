import type { PrintedDocumentsOf } from '../../shared/pdf/draw.js';
import type { PrintedDocument } from '../../shared/pdf/pdf.js';
import type { PdfColumn, PdfWriter } from '../../shared/pdf/pdf-writer.js';
import { isPrintable } from '../../shared/pdf/scripts.js';
import { dayOf, formatDay, formatMoney } from '../../platform/formats.js';
import { amountFromNumeric, minorFromNumeric, numericFromMinor } from '../../platform/money/money.js';
import { UTGST_STATES } from '../tax/gst-codes.js';
import { stateName } from '../tax/gstin.js';
import { describeDocument } from './document-words.js';
import type { EWayBill } from './entities/e-way-bill.entity.js';
import type { DocumentName, TaxDocument, TaxDocumentItem } from './entities/tax-document.entity.js';
import { amountInWords } from './rules/amount-in-words.js';
import { creditEndedText } from './rules/credit-time.js';
import { NOTE_REASONS } from './rules/note-reasons.js';
import { type DocumentKind, isVoucher } from './rules/document-number.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';
import { isHomeSupply } from './rules/tax.js';

export type IssuedDocument = TaxDocument & {
  items: readonly TaxDocumentItem[];
  /** It needs an IRN and has none. */
  awaitsIrn: boolean;
  /** The bytes of the picture that `facts` name, for the PDF. */
  logo?: Uint8Array;
  /** Of a test order. */
  isSample?: true;
  /** The answer of the tax portal. Times are in milliseconds since 1970. */
  eInvoice?:
    | (Record<'irn' | 'ackNumber' | 'signedQr', string> & { ackedAt: number; cancelledAt: number | null })
    | null;
  /** It waits if it has no number. Times are in milliseconds since 1970. */
  eWayBill?:
    (Pick<EWayBill, 'billNumber' | 'transport'> & Record<'generatedAt' | 'validUntil', number | null>) | null;
};

const SMALL = { size: 8 };

/** Rule 46 demands it in these words. */
const SEZ_ENDORSEMENT =
  'SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS ON PAYMENT OF INTEGRATED TAX';

/** In points. */
const LOGO_BOX = { width: 160, height: 44 };

/** The edge of the QR code: of about 110 squares, each has three dots of a scan with 150 dpi. */
const QR_POINTS = 160;

/** The copies of an invoice (Rule 48(1)). */
const COPIES = ['Original for recipient', 'Duplicate for transporter', 'Triplicate for supplier'];

/** Only the original, or all copies of an invoice. */
export type Copies = 'original' | 'all';

/** The fields of Rule 46 (invoice), 53 (notes), 50 or 51 (receipt and refund voucher) of the CGST Rules. */
export function layoutOf(document: IssuedDocument, copy = COPIES[0]!): PrintedDocument {
  const name = `${titleOf(document)} ${document.number}`;
  const { name: seller, gstin } = document.facts.seller;
  return {
    name,
    continued: `${seller}, GSTIN ${gstin}\n${name}, continued`,
    stamp: stampOf(document),
    draw: (pdf) => draw(pdf, document, copy),
  };
}

/** An invoice that needs an IRN and has none is no invoice (Rule 48(5)). */
function stampOf({ awaitsIrn, isSample, eInvoice }: IssuedDocument): string | undefined {
  if (isSample) return 'Sample';
  if (awaitsIrn) return 'Draft: not valid without IRN';
  return eInvoice && eInvoice.cancelledAt !== null ? 'Cancelled' : undefined;
}

export const printedDocumentsOf: PrintedDocumentsOf<Copies, IssuedDocument> = async function* (
  copies,
  documents,
) {
  for await (const document of documents)
    for (const copy of copies === 'all' && document.kind === 'invoice' ? COPIES : [COPIES[0]])
      yield layoutOf(document, copy);
};

/** False if the fonts lack some letters of the names or addresses. */
export function isReadable({ facts, items, reason }: IssuedDocument): boolean {
  return isPrintable(JSON.stringify([facts, items.map(({ description }) => description), reason]));
}

/** Goods without tax are billed by a bill of supply; Rule 46A allows both in one for unregistered clients. */
export function titleOf({ kind, items, facts, creditEndedOn, isCommercial }: IssuedDocument): string {
  if (kind !== 'invoice')
    return describeDocument({ kind, credit_ended_on: creditEndedOn, is_commercial: isCommercial });
  const untaxed = items.filter(({ gstRate }) => Number(gstRate) === 0).length;
  if (untaxed === items.length) return 'Bill of supply';
  return untaxed > 0 && facts.client.gstin === null ? 'Invoice-cum-bill of supply' : 'Tax invoice';
}

function draw(pdf: PdfWriter, document: IssuedDocument, copy: string): void {
  drawHeading(pdf, document, copy);
  pdf.rule();
  drawParties(pdf, document);
  pdf.space(10);
  if (
    document.kind === 'invoice' &&
    document.facts.client.gst_category === 'sez' &&
    !hasNoTax(document.items)
  )
    pdf.text(SEZ_ENDORSEMENT, { size: 9, bold: true });
  if (!isVoucher(document.kind)) {
    drawItems(pdf, document);
    drawRates(pdf, document);
  }
  drawEnd(pdf, document);
}

function drawHeading(pdf: PdfWriter, document: IssuedDocument, copy: string): void {
  const { seller } = document.facts;
  pdf.beside(
    () => {
      if (document.logo) pdf.picture(document.logo, LOGO_BOX);
      pdf.text(seller.name, { size: 14, bold: true });
      pdf.text(seller.address, { size: 9 });
      pdf.text(`GSTIN ${seller.gstin}\nState ${stateName(seller.state)}`, { size: 9 });
    },
    () => {
      pdf.text(titleOf(document), { size: 14, bold: true, align: 'right' });
      pdf.text(document.number, { size: 11, bold: true, align: 'right' });
      pdf.text(formatDay(document.issuedOn), { size: 9, align: 'right' });
      if (document.kind === 'invoice') pdf.text(copy, { size: 8, soft: true, align: 'right' });
    },
  );
}

function drawParties(pdf: PdfWriter, document: IssuedDocument): void {
  const { client, deliver_to } = document.facts;
  const billed = () => {
    pdf.text(PARTY_LABELS[document.kind] ?? 'Bill to', { size: 8, soft: true });
    pdf.text(client.name, { size: 10, bold: true });
    const lines = [
      client.address,
      client.gstin === null
        ? 'Unregistered: no GSTIN'
        : `${client.gst_category === 'uin' ? 'UIN' : 'GSTIN'} ${client.gstin}`,
      client.state === '' ? '' : `State ${stateName(client.state)}`,
    ];
    pdf.text(lines.filter((line) => line !== '').join('\n'), { size: 9 });
  };
  const delivered = () => {
    if (!deliver_to) return;
    const { name, phone, address, city, pincode, state, state_code: code, country } = deliver_to;
    pdf.text('Deliver to', { size: 8, soft: true });
    pdf.text(name, { size: 10, bold: true });
    const inState = code === undefined ? state : `${state} (${code})`;
    pdf.text(`${address}\n${city} ${pincode}\n${inState}, ${country}\nPhone ${phone}`, { size: 9 });
  };
  const facts = () => {
    for (const [name, value] of factsOf(document)) {
      pdf.text(name, { size: 8, soft: true });
      pdf.text(value, { size: 9 });
    }
  };
  pdf.beside(billed, () => pdf.beside(delivered, facts, 0.52), 0.34);
}

function factsOf(document: IssuedDocument): [string, string][] {
  const { facts, orderNumber, placeOfSupply, reasonCode, suppliedOn, eWayBill } = document;
  const reason = [reasonCode && `${reasonCode} ${NOTE_REASONS[reasonCode]}`, document.reason];
  const { against, replaces, returns = [], store_order_id, placed_at } = facts;
  const placed = placed_at === null ? '' : ` of ${dayOf(new Date(placed_at), LAW_TIME_ZONE)}`;
  const dated = ({ issued_on }: DocumentName) => `of ${formatDay(issued_on)}`;
  return [
    ...optionalFact('Place of supply', placeOfSupply && stateName(placeOfSupply)),
    ...optionalFact('Reverse charge', 'No'),
    ...(against ? optionalFact(`Invoice ${dated(against)}`, against.number) : []),
    ...(replaces ? optionalFact(`Replaces the invoice ${dated(replaces)}`, replaces.number) : []),
    ...returns.flatMap(({ amount, ...receipt }) =>
      optionalFact(`Receipt voucher ${dated(receipt)}`, `${receipt.number}: ₹${formatAmount(amount)}`),
    ),
    ...optionalFact('Reason', reason.filter(Boolean).join('\n')),
    ...optionalFact('The goods left on', suppliedOn && formatDay(suppliedOn)),
    ...optionalFact(`Order${placed}`, orderNumber),
    ...optionalFact('Order of the store', store_order_id),
    ...optionalFact('E-way bill', eWayBillText(document)),
    ...optionalFact('Vehicle', eWayBill?.billNumber ? (eWayBill.transport.vehicle_number ?? null) : null),
  ];
}

function eWayBillText({ eWayBill }: IssuedDocument): string | null {
  if (!eWayBill?.billNumber) return null;
  const { billNumber, validUntil } = eWayBill;
  return validUntil === null ? billNumber : `${billNumber}\nvalid until ${dayOf(validUntil, LAW_TIME_ZONE)}`;
}

function optionalFact(name: string, value: string | null): [string, string][] {
  return value ? [[name, value]] : [];
}

function drawItems(pdf: PdfWriter, { items, kind, ...sums }: IssuedDocument): void {
  const isUntaxed = hasNoTax(items);
  const heads = taxHeadsOf(sums);
  const taxHeads = isUntaxed ? [] : heads;
  const columns: PdfColumn<TaxDocumentItem>[] = [
    { heading: 'No.', points: 18, cell: ({ position }) => String(position) },
    {
      heading: 'Item',
      cell: ({ description, sku, quantity }) =>
        [description, sku, quantity === 0 && kind !== 'invoice' ? REDUCTIONS[kind] : '']
          .filter((line) => line !== '')
          .join('\n'),
    },
    { heading: 'HSN', points: 38, cell: ({ hsn }) => hsn },
    numberColumn('Quantity', items, ({ quantity, unit }) =>
      quantity === 0 ? '' : `${quantity.toLocaleString('en-IN')} ${unit}`,
    ),
    // A note that takes an invoice back may credit less for its units than their price.
    numberColumn(isUntaxed ? 'Price' : 'Price with tax', items, ({ quantity, unitPrice, gross }) =>
      quantity * minorFromNumeric(unitPrice) === minorFromNumeric(gross) ? formatAmount(unitPrice) : '',
    ),
    ...(isUntaxed
      ? []
      : [numberColumn('Taxable value', [...items, sums], ({ taxable }) => formatAmount(taxable))]),
    ...taxHeads.map((head) => ({
      ...numberColumn(taxName(head, sums.placeOfSupply), [...items, sums], ({ [head]: tax }) =>
        formatAmount(tax),
      ),
      cell: ({ gstRate, [head]: tax }: TaxDocumentItem) =>
        `${Number(gstRate) / heads.length} %\n${formatAmount(tax)}`,
    })),
    { ...numberColumn('Total', [...items, sums], ({ gross }) => formatAmount(gross)), bold: true },
  ];
  const taxes = isUntaxed ? [] : [sums.taxable, ...taxHeads.map((head) => sums[head])];
  const totals = [...taxes, sums.gross].map(formatAmount);
  pdf.table(columns, items, { ...SMALL, gap: 6, sums: ['', 'Total in ₹', '', '', '', ...totals] });
}

/** A bill of supply shows no tax (Rule 49), and neither do its notes. */
const hasNoTax = (items: IssuedDocument['items']) => items.every(({ gstRate }) => Number(gstRate) === 0);

const taxHeadsOf = ({ placeOfSupply, facts }: Pick<IssuedDocument, 'placeOfSupply' | 'facts'>) =>
  isHomeSupply(placeOfSupply, facts) ? (['cgst', 'sgst'] as const) : (['igst'] as const);

type RateSum = Record<'gstRate' | 'taxable' | 'cgst' | 'sgst' | 'igst' | 'gross', string>;

/** The sums by rate, if there are several rates. */
function drawRates(pdf: PdfWriter, { items, ...document }: IssuedDocument): void {
  const rates = [...new Set(items.map(({ gstRate }) => gstRate))].sort((a, b) => Number(a) - Number(b));
  if (rates.length < 2) return;
  const rows = rates.map((gstRate): RateSum => {
    const own = items.filter((item) => item.gstRate === gstRate);
    const sum = (amount: Exclude<keyof RateSum, 'gstRate'>) =>
      numericFromMinor(own.reduce((total, item) => total + minorFromNumeric(item[amount]), 0));
    const [taxable, cgst, sgst] = [sum('taxable'), sum('cgst'), sum('sgst')];
    return { gstRate, taxable, cgst, sgst, igst: sum('igst'), gross: sum('gross') };
  });
  const amount = (heading: string, name: keyof RateSum) =>
    numberColumn(heading, rows, (row: RateSum) => formatAmount(row[name]));
  pdf.keepTogether(40 + 20 * rows.length);
  pdf.table(
    [
      { heading: 'Sums by rate', cell: ({ gstRate }: RateSum) => `${Number(gstRate)} %` },
      amount('Taxable value', 'taxable'),
      ...taxHeadsOf(document).map((head) => amount(taxName(head, document.placeOfSupply), head)),
      amount('Total', 'gross'),
    ],
    rows,
    { ...SMALL, gap: 6 },
  );
}

const taxName = (head: 'cgst' | 'sgst' | 'igst', place: string) =>
  head === 'sgst' && UTGST_STATES.has(place) ? 'UTGST' : head.toUpperCase();

/** A column that is as wide as its longest text, because numbers must not wrap. */
function numberColumn<Row>(heading: string, rows: readonly Row[], cell: (row: Row) => string) {
  const maxLength = Math.max(...rows.map((row) => cell(row).length));
  return { heading, align: 'right' as const, points: Math.max(38, maxLength * 4.1 + 1), cell };
}

function drawEnd(
  pdf: PdfWriter,
  { kind, gross, facts, items, creditEndedOn, isCommercial, eInvoice }: IssuedDocument,
): void {
  const total = minorFromNumeric(gross);
  pdf.keepTogether(eInvoice ? 45 + QR_POINTS : 106);
  pdf.space(4);
  pdf.beside(
    () => {
      pdf.fact('Total in words', amountInWords(total), { size: 9, bold: true });
      if (isVoucher(kind)) pdf.text(`${items[0]!.description}. ${VOUCHER_TAX[kind]}`, SMALL);
      if (creditEndedOn) pdf.text(`No tax is changed: ${creditEndedText(creditEndedOn)}.`, SMALL);
      if (isCommercial) pdf.text('A commercial note: no tax is changed.', SMALL);
      if (eInvoice) drawEInvoice(pdf, eInvoice);
    },
    () => {
      const totalName = hasNoTax(items) ? TOTALS[kind].replace(', with tax', '') : TOTALS[kind];
      pdf.text(creditEndedOn || isCommercial ? 'Total; no tax is changed' : totalName, {
        size: 8,
        soft: true,
        align: 'right',
      });
      pdf.text(formatMoney(total, 'INR'), { size: 14, bold: true, align: 'right' });
      pdf.space(14);
      pdf.text(`For ${facts.seller.name}`, { size: 9, align: 'right' });
      pdf.space(28);
      pdf.text('Authorised signatory', { size: 8, soft: true, align: 'right' });
    },
  );
}

/** The proof of the registration (Rule 48(4)), or of its cancellation. */
function drawEInvoice(
  pdf: PdfWriter,
  { irn, ackNumber, ackedAt, signedQr, cancelledAt }: NonNullable<IssuedDocument['eInvoice']>,
) {
  const qr = () => pdf.qrCode(signedQr, QR_POINTS);
  const facts = () => {
    // Two lines, because 64 letters without a space are wider than one line.
    pdf.fact('IRN', `${irn.slice(0, 32)}\n${irn.slice(32)}`, SMALL);
    pdf.fact('Acknowledgement', ackNumber, SMALL);
    pdf.fact('Acknowledged on', dayOf(ackedAt, LAW_TIME_ZONE), SMALL);
    if (cancelledAt !== null) pdf.fact('IRN cancelled on', dayOf(cancelledAt, LAW_TIME_ZONE), SMALL);
  };
  if (cancelledAt === null) pdf.beside(qr, facts, 0.44);
  else facts();
}

/** For an item of a note without units. */
const REDUCTIONS = {
  credit_note: 'Price reduction',
  debit_note: 'Price reduction taken back',
  receipt_voucher: '',
  refund_voucher: '',
};

const PARTY_LABELS: Partial<Record<DocumentKind, string>> = {
  receipt_voucher: 'Received from',
  refund_voucher: 'Paid back to',
};

const VOUCHER_TAX: Partial<Record<DocumentKind, string>> = {
  receipt_voucher:
    'No tax is due on it before the invoice of the goods (Notification 66/2017 – Central Tax).',
  refund_voucher: 'It is paid back. No tax was due on it (Notification 66/2017 – Central Tax).',
};

const TOTALS = {
  invoice: 'Total, with tax',
  credit_note: 'Credited, with tax',
  debit_note: 'Debited, with tax',
  receipt_voucher: 'Amount received',
  refund_voucher: 'Amount paid back',
};

/** "1,02,000.05". */
function formatAmount(numeric: string): string {
  return amountFromNumeric(numeric).toLocaleString('en-IN', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
}
