import { pdfOf } from '../../shared/pdf/pdf.js';
import { printedDocumentsOf, type StatementHeader, describeEntry } from './statement-pdf.js';

const ENTRIES = 40;

const FILE = { title: 'Statement', madeAt: new Date('2026-11-30T18:30:00Z') };

const line = (entry: number) => ({
  entry,
  at: new Date('2026-11-20T08:00:00Z'),
  kind: 'order_refund' as const,
  against: 'sales' as const,
  key: `refund:WO-${entry}:1`,
  amount: -1_23_456_00,
  balanceAfter: 12_34_567_89,
  orderNumber: 'WO-20261120-7GK2M-Q9XW4',
  storeOrderId: 'WEB-100045',
  paymentId: null,
  note: null,
});

const STATEMENT: StatementHeader = {
  opening: 0,
  moneyIn: 0,
  moneyOut: 0,
  closing: 0,
  entries: ENTRIES,
  clientId: 1,
  client: 'Anaya Home',
  clientGstin: null,
  seller: null,
  sellerGstin: null,
  month: '2026-11',
  timeZone: 'Asia/Kolkata',
  currency: 'INR',
};

async function* batches() {
  yield await Promise.resolve({ lines: Array.from({ length: ENTRIES }, (_, at) => line(at + 1)) });
}

describe('The words of a statement', () => {
  it.each([
    ['Refund taken back', -1],
    ['Order refunded', 1],
  ])('tell the direction of a refund: %s', (words, amount) => {
    expect(describeEntry({ ...line(1), amount })).toBe(words);
  });
});

describe('The words of an entry', () => {
  it.each([
    ['Tax deducted (TDS)', { kind: 'top_up', against: 'tds' }],
    ['Bank transfer', { kind: 'top_up', against: 'bank', key: 'bank:UTR000000000077' }],
    ['Cheque', { kind: 'top_up', against: 'bank', key: 'bank:CHEQUE 123456 HDFC' }],
    ['Cash', { kind: 'top_up', against: 'bank', key: 'bank:CASH R 17' }],
    ['Recorded by mistake', { kind: 'top_up', against: 'bank', key: 'undone:for:WO-1', amount: -5 }],
    ['Order not paid', { kind: 'order_payment', key: 'undone:order:WO-1', amount: 5 }],
    ['Paid out to the bank', { kind: 'payout', against: 'bank' }],
    ['Refunded to the source', { kind: 'payout', against: 'in_transit' }],
  ] as const)('are %s', (words, entry) => {
    expect(describeEntry({ ...line(1), orderNumber: null, ...entry })).toBe(words);
  });
});

describe('The PDF of a statement', () => {
  it('has forty entries with an order and a document on two pages', async () => {
    const bytes: Uint8Array[] = [];
    for await (const piece of pdfOf(FILE, printedDocumentsOf(STATEMENT, batches()))) bytes.push(piece);
    const text = Buffer.concat(bytes).toString('latin1');
    expect(text.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(2);
  });
});
