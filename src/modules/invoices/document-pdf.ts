import type { PapersOf } from '../../shared/pdf/draw.js';
import type { Paper } from '../../shared/pdf/pdf.js';
import type { Column, Pen } from '../../shared/pdf/pdf-writer.js';
import { isPrintable } from '../../shared/pdf/scripts.js';
import { dayOf, formatMoney } from '../../shared/ui/formats.js';
import { amountFromNumeric, minorFromNumeric } from '../../platform/money/money.js';
import { UTGST_STATES } from '../tax/gst-codes.js';
import { stateName } from '../tax/gstin.js';
import type { DocumentName, TaxDocument, TaxDocumentItem } from './entities/tax-document.entity.js';
import { amountInWords } from './rules/amount-in-words.js';
import { creditEndedText } from './rules/credit-time.js';
import { LAW_TIME_ZONE } from './rules/law-time-zone.js';

export type IssuedDocument = TaxDocument & {
  items: readonly TaxDocumentItem[];
  /** The answer of the tax portal. Times are in milliseconds since 1970. */
  eInvoice?:
    | (Record<'irn' | 'ackNumber' | 'signedQr', string> & { ackedAt: number; cancelledAt: number | null })
    | null;
};

const SMALL = { size: 8 };

/** The edge of the QR code. */
const QR_POINTS = 120;

/** The copies of an invoice (Rule 48(1)). */
const COPIES = ['Original for recipient', 'Duplicate for transporter', 'Triplicate for supplier'];

/** Only the original, or all copies of an invoice. */
export type Copies = 'original' | 'all';

/** The fields of Rule 46 (invoice), 53 (credit and debit note) or 50 (receipt voucher) of the CGST Rules. */
export function paperOf(document: IssuedDocument, copy = COPIES[0]!): Paper {
  return { name: `${titleOf(document)} ${document.number}`, draw: (pen) => draw(pen, document, copy) };
}

export const papersOf: PapersOf<Copies, IssuedDocument> = async function* (wanted, documents) {
  for await (const document of documents)
    for (const copy of wanted === 'all' && document.kind === 'invoice' ? COPIES : [COPIES[0]])
      yield paperOf(document, copy);
};

/** False if the font lacks some letters of the names or addresses, which are then printed as boxes. */
export function isReadable({ facts, items, reason }: IssuedDocument): boolean {
  return isPrintable(JSON.stringify([facts, items.map(({ description }) => description), reason]));
}

/** Goods without tax are billed by a bill of supply; Rule 46A allows both in one for unregistered clients. */
export function titleOf({ kind, items, facts, creditEndedOn }: IssuedDocument): string {
  if (kind === 'credit_note') return creditEndedOn ? 'Commercial credit note' : 'Credit note';
  if (kind === 'debit_note') return creditEndedOn ? 'Commercial debit note' : 'Debit note';
  if (kind === 'receipt_voucher') return 'Receipt voucher';
  const untaxed = items.filter(({ gstRate }) => Number(gstRate) === 0).length;
  if (untaxed === items.length) return 'Bill of supply';
  return untaxed > 0 && facts.client.gstin === null ? 'Invoice-cum-bill of supply' : 'Tax invoice';
}

function draw(pen: Pen, document: IssuedDocument, copy: string): void {
  drawHead(pen, document, copy);
  pen.rule();
  drawParties(pen, document);
  pen.space(10);
  if (document.kind !== 'receipt_voucher') drawItems(pen, document);
  drawEnd(pen, document);
}

function drawHead(pen: Pen, document: IssuedDocument, copy: string): void {
  const { seller } = document.facts;
  pen.beside(
    () => {
      pen.text(seller.name, { size: 14, bold: true });
      pen.text(seller.address, { size: 9 });
      pen.text(`GSTIN ${seller.gstin}\nState ${stateName(seller.state)}`, { size: 9 });
    },
    () => {
      pen.text(titleOf(document), { size: 14, bold: true, align: 'right' });
      pen.text(document.number, { size: 11, bold: true, align: 'right' });
      pen.text(dayOf(Date.parse(document.issuedOn), 'UTC'), { size: 9, align: 'right' });
      if (document.kind === 'invoice') pen.text(copy, { size: 8, soft: true, align: 'right' });
    },
  );
}

function drawParties(pen: Pen, document: IssuedDocument): void {
  const { client, deliver_to } = document.facts;
  const billed = () => {
    pen.text(document.kind === 'receipt_voucher' ? 'Received from' : 'Bill to', { size: 8, soft: true });
    pen.text(client.name, { size: 10, bold: true });
    const lines = [
      client.address,
      client.gstin === null ? 'Unregistered: no GSTIN' : `GSTIN ${client.gstin}`,
      client.state === '' ? '' : `State ${stateName(client.state)}`,
    ];
    pen.text(lines.filter((line) => line !== '').join('\n'), { size: 9 });
  };
  const delivered = () => {
    if (!deliver_to) return;
    const { name, phone, address, city, pincode, state, state_code: code, country } = deliver_to;
    pen.text('Deliver to', { size: 8, soft: true });
    pen.text(name, { size: 10, bold: true });
    const inState = code === undefined ? state : `${state} (${code})`;
    pen.text(`${address}\n${city} ${pincode}\n${inState}, ${country}\nPhone ${phone}`, { size: 9 });
  };
  const facts = () => {
    for (const [name, value] of factsOf(document)) {
      pen.text(name, { size: 8, soft: true });
      pen.text(value, { size: 9 });
    }
  };
  pen.beside(billed, () => pen.beside(delivered, facts, 0.52), 0.34);
}

function factsOf(document: IssuedDocument): [string, string][] {
  const { facts, orderNumber, placeOfSupply, reason, suppliedOn } = document;
  const { against, replaces, store_order_id, placed_at } = facts;
  const placed = placed_at === null ? '' : ` of ${dayOf(new Date(placed_at), LAW_TIME_ZONE)}`;
  const dated = ({ issued_on }: DocumentName) => `of ${dayOf(Date.parse(issued_on), 'UTC')}`;
  return [
    ...named('Place of supply', placeOfSupply && stateName(placeOfSupply)),
    ...named('Reverse charge', 'No'),
    ...(against ? named(`Invoice ${dated(against)}`, against.number) : []),
    ...(replaces ? named(`Replaces the invoice ${dated(replaces)}`, replaces.number) : []),
    ...named('Reason', reason),
    ...named('The goods left on', suppliedOn && dayOf(Date.parse(suppliedOn), 'UTC')),
    ...named(`Order${placed}`, orderNumber),
    ...named('Order of the store', store_order_id),
  ];
}

function named(name: string, value: string | null): [string, string][] {
  return value ? [[name, value]] : [];
}

function drawItems(pen: Pen, { items, kind, ...sums }: IssuedDocument): void {
  const isWithinState = sums.placeOfSupply === sums.facts.seller.state;
  // A bill of supply shows no tax (Rule 49), and neither do its notes.
  const isUntaxed = items.every(({ gstRate }) => Number(gstRate) === 0);
  const heads = isWithinState ? (['cgst', 'sgst'] as const) : (['igst'] as const);
  const taxHeads = isUntaxed ? [] : heads;
  const columns: Column<TaxDocumentItem>[] = [
    {
      heading: 'Item',
      cell: ({ description, sku, quantity }) =>
        [description, sku, quantity === 0 && kind !== 'invoice' ? REDUCTIONS[kind] : '']
          .filter((line) => line !== '')
          .join('\n'),
    },
    { heading: 'HSN', points: 38, cell: ({ hsn }) => hsn },
    numbers('Quantity', items, ({ quantity, unit }) =>
      quantity === 0 ? '' : `${quantity.toLocaleString('en-IN')} ${unit}`,
    ),
    numbers(isUntaxed ? 'Price' : 'Price with tax', items, ({ quantity, unitPrice }) =>
      quantity === 0 ? '' : amount(unitPrice),
    ),
    ...(isUntaxed ? [] : [numbers('Taxable value', [...items, sums], ({ taxable }) => amount(taxable))]),
    ...taxHeads.map((head) => ({
      ...numbers(taxName(head, sums.placeOfSupply), [...items, sums], ({ [head]: tax }) => amount(tax)),
      cell: ({ gstRate, [head]: tax }: TaxDocumentItem) =>
        `${Number(gstRate) / heads.length} %\n${amount(tax)}`,
    })),
    { ...numbers('Total', [...items, sums], ({ gross }) => amount(gross)), bold: true },
  ];
  const taxes = isUntaxed ? [] : [sums.taxable, ...taxHeads.map((head) => sums[head])];
  const totals = [...taxes, sums.gross].map(amount);
  pen.table(columns, items, { ...SMALL, gap: 6, sums: ['Total in ₹', '', '', '', ...totals] });
}

const taxName = (head: 'cgst' | 'sgst' | 'igst', place: string) =>
  head === 'sgst' && UTGST_STATES.has(place) ? 'UTGST' : head.toUpperCase();

/** A column that is as wide as its longest text, because numbers must not wrap. */
function numbers<Row>(heading: string, rows: readonly Row[], cell: (row: Row) => string) {
  const longest = Math.max(...rows.map((row) => cell(row).length));
  return { heading, align: 'right' as const, points: Math.max(38, longest * 4.1 + 1), cell };
}

function drawEnd(pen: Pen, { kind, gross, facts, items, creditEndedOn, eInvoice }: IssuedDocument): void {
  const total = minorFromNumeric(gross);
  pen.keepTogether(eInvoice ? 45 + QR_POINTS : 106);
  pen.space(4);
  pen.beside(
    () => {
      pen.fact('Total in words', amountInWords(total), { size: 9, bold: true });
      if (kind === 'receipt_voucher')
        pen.text(
          `${items[0]!.description}. No tax is due on it before the invoice of the goods ` +
            '(Notification 66/2017 – Central Tax).',
          SMALL,
        );
      if (creditEndedOn) pen.text(`No tax is changed: ${creditEndedText(creditEndedOn)}.`, SMALL);
      if (eInvoice) drawEInvoice(pen, eInvoice);
    },
    () => {
      pen.text(creditEndedOn ? 'Total; no tax is changed' : TOTALS[kind], {
        size: 8,
        soft: true,
        align: 'right',
      });
      pen.text(formatMoney(total, 'INR'), { size: 14, bold: true, align: 'right' });
      pen.space(14);
      pen.text(`For ${facts.seller.name}`, { size: 9, align: 'right' });
      pen.space(28);
      pen.text('Authorised signatory', { size: 8, soft: true, align: 'right' });
    },
  );
}

/** The proof of the registration (Rule 48(4)), or of its cancellation. */
function drawEInvoice(
  pen: Pen,
  { irn, ackNumber, ackedAt, signedQr, cancelledAt }: NonNullable<IssuedDocument['eInvoice']>,
) {
  const qr = () => pen.qrCode(signedQr, QR_POINTS);
  const facts = () => {
    // Two lines, because 64 letters without a space are wider than one line.
    pen.fact('IRN', `${irn.slice(0, 32)}\n${irn.slice(32)}`, SMALL);
    pen.fact('Acknowledgement', ackNumber, SMALL);
    pen.fact('Acknowledged on', dayOf(ackedAt, LAW_TIME_ZONE), SMALL);
    if (cancelledAt !== null) pen.fact('IRN cancelled on', dayOf(cancelledAt, LAW_TIME_ZONE), SMALL);
  };
  if (cancelledAt === null) pen.beside(qr, facts, 0.44);
  else facts();
}

/** For an item of a note without units. */
const REDUCTIONS = {
  credit_note: 'Price reduction',
  debit_note: 'Price reduction taken back',
  receipt_voucher: '',
};

const TOTALS = {
  invoice: 'Total, with tax',
  credit_note: 'Credited, with tax',
  debit_note: 'Debited, with tax',
  receipt_voucher: 'Amount received',
};

/** "1,02,000.05". */
function amount(numeric: string): string {
  return amountFromNumeric(numeric).toLocaleString('en-IN', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
}
