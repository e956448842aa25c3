import { readFileSync } from 'node:fs';
import { type PrintedDocument, pdfOf } from '../../shared/pdf/pdf.js';
import type { PdfWriter } from '../../shared/pdf/pdf-writer.js';
import { numericFromMinor } from '../../platform/money/money.js';
import type { TaxDocumentItem } from './entities/tax-document.entity.js';
import {
  type Copies,
  isReadable,
  type IssuedDocument,
  layoutOf,
  printedDocumentsOf,
} from './document-pdf.js';
import { sumOfParts, taxWithin } from './rules/tax.js';

type Facts = IssuedDocument['facts'];

const SELLER = {
  name: 'Kaveri Wholesale Private Limited',
  gstin: '27AAPFU0939F1ZV',
  address: '4th Floor, Unit 12, Lodha Supremus\nSenapati Bapat Marg, Lower Parel\nMumbai 400013',
  state: '27',
};

function made(count: number, given: Partial<IssuedDocument> = {}, state = '27'): IssuedDocument {
  const within = state === SELLER.state;
  const lines = Array.from({ length: count }, (_, at) => {
    const [quantity, unitPrice, rate] = [at + 1, 31_800 + at * 1_000_07, [1_800, 500, 1_200][at % 3]!];
    return { quantity, unitPrice, rate, gross: quantity * unitPrice };
  });
  const parts = lines.map(({ gross, rate }) => taxWithin(gross, rate, within));
  const numerics = (amounts: object) =>
    Object.fromEntries(Object.entries(amounts).map(([name, minor]) => [name, numericFromMinor(minor)]));
  return {
    number: 'INV-2627-0000042',
    seller: 1,
    kind: 'invoice',
    clientId: 7,
    issuedAt: new Date('2026-11-22T20:00:00Z'),
    issuedOn: '2026-11-23',
    suppliedOn: null,
    orderNumber: 'WO-20261120-7K3M9-QXA2B',
    parcel: 1,
    edition: 1,
    part: 1,
    refund: null,
    against: null,
    voids: false,
    creditEndedOn: null,
    isCommercial: false,
    reasonCode: null,
    paymentKey: null,
    awaitsIrn: false,
    placeOfSupply: state,
    reason: null,
    facts: {
      seller: SELLER,
      client: {
        name: 'Bengaluru Boutique LLP',
        gstin: '29AAGCB7383J1Z4',
        address: '221, 100 Feet Road, Indiranagar\nBengaluru 560038',
        state,
      },
      deliver_to: {
        name: 'अनन्या क्षत्रिय',
        phone: '+91 98450 12345',
        address: 'Flat 7B, Shanti Apartments, 3rd Cross, Gandhinagar',
        city: 'Bengaluru',
        state: 'Karnataka',
        pincode: '560009',
        country: 'India',
      },
      store_order_id: 'WEB-1001',
      placed_at: '2026-11-20T19:30:00.000Z',
      against: null,
    },
    items: lines.map((line, at) => ({
      number: 'INV-2627-0000042',
      position: at + 1,
      line: at + 1,
      description:
        at % 4 === 1
          ? 'Hand-woven Banarasi silk saree with zari border, Color:Navy|Size:Free'
          : 'Classic Cotton T-Shirt, Color:Navy|Size:M',
      sku: `TSHIRT-CLASSIC-${at + 1}`,
      hsn: '61091000',
      unit: 'PCS',
      quantity: line.quantity,
      gstRate: numericFromMinor(line.rate),
      ...numerics({ unitPrice: line.unitPrice, gross: line.gross, ...parts[at] }),
    })) as unknown as TaxDocumentItem[],
    ...(numerics({
      gross: lines.reduce((sum, { gross }) => sum + gross, 0),
      ...sumOfParts(parts),
    }) as Pick<IssuedDocument, 'gross' | 'taxable' | 'cgst' | 'sgst' | 'igst'>),
    ...given,
  };
}

/** Every text that the paper draws, in order. */
const textsOf = (document: IssuedDocument) => textsDrawn(layoutOf(document).draw);

function textsDrawn(draw: PrintedDocument['draw']): string {
  const texts: string[] = [];
  const pdf = {
    text: (text: string) => texts.push(text),
    fact: (name: string, value: string) => texts.push(`${name}: ${value}`),
    qrCode: (text: string) => texts.push(`QR code: ${text}`),
    space: () => undefined,
    rule: () => undefined,
    keepTogether: () => undefined,
    beside: (left: () => void, right: () => void) => (left(), right()),
    table: (
      columns: { heading: string; cell: (row: TaxDocumentItem) => string }[],
      rows: TaxDocumentItem[],
      { sums = [] }: { sums?: string[] },
    ) =>
      texts.push(
        columns.map(({ heading }) => heading).join(' | '),
        ...rows.map((row) => columns.map(({ cell }) => cell(row).replaceAll('\n', ' / ')).join(' | ')),
        ...(sums.length > 0 ? [sums.join(' | ')] : []),
      ),
  };
  draw(pdf as unknown as PdfWriter);
  return texts.join('\n');
}

async function fileOf(document: IssuedDocument): Promise<Buffer> {
  async function* papers() {
    yield layoutOf(document);
  }
  const file = pdfOf({ title: document.number, madeAt: document.issuedAt }, papers());
  const pieces: Uint8Array[] = [];
  for await (const piece of file) pieces.push(piece);
  return Buffer.concat(pieces);
}

const pagesOf = async (document: IssuedDocument) =>
  (await fileOf(document)).toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length;

/** The document with other facts, and those of its client. */
function withFacts(
  document: IssuedDocument,
  { client, ...facts }: Partial<Omit<Facts, 'client'>> & { client?: Partial<Facts['client']> },
): IssuedDocument {
  const own = document.facts;
  return { ...document, facts: { ...own, ...facts, client: { ...own.client, ...client } } };
}

const untaxed = ({ items }: IssuedDocument) => items.map((item) => ({ ...item, gstRate: '0.00' }));

describe('An invoice on paper', () => {
  it('has the fields of Rule 46, as its golden file', () => {
    const golden = readFileSync(new URL('golden/invoice.txt', import.meta.url), 'utf8');
    expect(textsOf(made(2)).split('\n')).toEqual(golden.trimEnd().split('\n'));
  });

  it.each<[Copies, IssuedDocument['kind'], (string | undefined)[]]>([
    ['all', 'invoice', ['Original for recipient', 'Duplicate for transporter', 'Triplicate for supplier']],
    ['original', 'invoice', ['Original for recipient']],
    ['all', 'credit_note', [undefined]],
  ])('has %s of the copies of an %s: %j', async (copies, kind, titles) => {
    async function* documents() {
      yield made(2, { kind });
    }
    const texts: string[] = [];
    for await (const { draw } of printedDocumentsOf(copies, documents())) texts.push(textsDrawn(draw));
    const title = /^.* for (recipient|transporter|supplier)$/m;
    expect(texts.map((text) => title.exec(text)?.[0])).toEqual(titles);
  });

  it('names UTGST where there is no legislature', () => {
    const within = withFacts(made(1, { placeOfSupply: '04' }), { seller: { ...SELLER, state: '04' } });
    expect(textsOf(within)).toMatch(/ \| CGST \| UTGST \| /);
  });

  it('of another state has IGST', () => {
    const printed = textsOf(made(1, {}, '29'));
    expect(printed).toContain('Taxable value | IGST | Total\n');
    expect(printed).toContain('| 269.49 | 18 % / 48.51 | 318.00\n');
    expect(printed).toContain('Place of supply\nKarnataka (29)');
  });

  it('of a special economic zone has IGST and its endorsement, unless nothing is taxed', () => {
    const words =
      'SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS ON PAYMENT OF INTEGRATED TAX';
    const document = withFacts(made(2), { client: { gst_category: 'sez' } });
    expect(textsOf(document)).toContain(words);
    expect(textsOf(document)).toMatch(/ \| IGST \| Total/);
    const free = { ...document, items: untaxed(document) };
    const note = { ...document, kind: 'credit_note' as const };
    for (const other of [free, note, made(2)]) expect(textsOf(other)).not.toContain(words);
  });

  it('of an embassy has its UIN', () => {
    const client = { gst_category: 'uin' as const, gstin: '0717UNO00157UNO' };
    expect(textsOf(withFacts(made(2), { client }))).toContain('\nUIN 0717UNO00157UNO\n');
  });

  it('says what it lacks: a GSTIN, or tax', () => {
    const document = made(2);
    const unregistered = withFacts(document, { client: { gstin: null } });
    const free = textsOf({ ...document, items: untaxed(document) });
    const items = [untaxed(document)[0]!, document.items[1]!];
    expect(textsOf(unregistered)).toContain('\nUnregistered: no GSTIN\n');
    expect(free).toContain('\nBill of supply\n');
    expect(free).toContain('\nTotal\n₹2,954.14');
    expect(free).not.toMatch(/with tax|Sums by rate/);
    expect(textsOf({ ...document, items })).toContain('\nTax invoice\n');
    expect(textsOf({ ...unregistered, items })).toContain('\nInvoice-cum-bill of supply\n');
  });

  it('has one page for ten lines, as many as it needs for forty, and the same bytes each time', async () => {
    expect(await pagesOf(made(10))).toBe(1);
    expect(await pagesOf(made(40, {}, '29'))).toBe(3);
    expect((await fileOf(made(10))).equals(await fileOf(made(10)))).toBe(true);
  });

  const ACKED = Date.parse('2026-11-23T20:00:00Z');
  const E_INVOICE = {
    irn: '0123456789abcdef'.repeat(4),
    ackNumber: '232210036743849',
    ackedAt: ACKED,
    signedQr: `eyJhbGciOiJSUzI1NiJ9.${'a1B2'.repeat(140)}.${'c3D4'.repeat(85)}`,
    cancelledAt: null,
  };
  const WITHDRAWN = { ...E_INVOICE, cancelledAt: ACKED };

  it('shows its registration at the tax portal, which changes nothing else', async () => {
    const [printed, plain] = [made(2, { eInvoice: E_INVOICE }), made(2)].map(textsOf);
    const registration = `Only
QR code: ${E_INVOICE.signedQr}
IRN: 0123456789abcdef0123456789abcdef
0123456789abcdef0123456789abcdef
Acknowledgement: 232210036743849
Acknowledged on: 24 Nov 2026
`;
    expect(printed).toContain(registration);
    expect(printed!.replace(registration, 'Only\n')).toBe(plain);
    expect(textsOf(made(2, { eInvoice: null }))).toBe(plain);
    expect(await pagesOf(made(6, { eInvoice: E_INVOICE }))).toBe(1);
  });

  it('says when its IRN was cancelled, without a QR code', () => {
    const cancelled = textsOf(made(2, { eInvoice: WITHDRAWN }));
    expect(cancelled).toContain('IRN cancelled on: 24 Nov 2026');
    expect(cancelled).not.toContain('QR code');
  });

  it.each<[string | undefined, Partial<IssuedDocument>]>([
    [undefined, {}],
    [undefined, { eInvoice: E_INVOICE }],
    ['Cancelled', { eInvoice: WITHDRAWN }],
    ['Draft: not valid without IRN', { awaitsIrn: true }],
    ['Sample', { isSample: true }],
  ])('has the stamp %s', (stamp, given) => {
    expect(layoutOf(made(2, given)).stamp).toBe(stamp);
  });

  it('shows its e-way bill, once it has a number', () => {
    const eWayBill = {
      billNumber: '341008123456',
      generatedAt: Date.parse('2026-11-23T10:00:00Z'),
      validUntil: Date.parse('2026-11-24T18:29:00Z'),
      transport: { vehicle_number: 'KA01AB1234' },
    };
    const print = (given: Partial<typeof eWayBill> | object) =>
      textsOf(made(2, { eWayBill: { ...eWayBill, ...given } }));
    const words = '\nE-way bill\n341008123456\nvalid until 24 Nov 2026\nVehicle\nKA01AB1234\n';
    expect(print({})).toContain(words);
    expect(print({ validUntil: null, transport: {} })).not.toMatch(/valid|Vehicle/);
    expect(print({ billNumber: null })).toBe(textsOf(made(2)));
  });

  it.each([
    [true, 'Bengaluru Boutique LLP'],
    [false, 'රුවන් වෙළඳසැල'],
  ])('is readable: %s for a client with the name %s', (isWhole, name) => {
    expect(isReadable(withFacts(made(1), { client: { name } }))).toBe(isWhole);
  });
});

describe('Other documents on paper', () => {
  const invoice = made(2);
  const against = { number: invoice.number, issued_on: invoice.issuedOn };
  const [first, second] = invoice.items;
  const NOTE = withFacts(
    made(2, {
      kind: 'credit_note',
      number: 'CN-2627-0000007',
      reason: 'torn seam',
      items: [first!, { ...second!, quantity: 0 }],
    }),
    { against },
  );

  it('name the invoice that they reduce, and why (Rule 53)', async () => {
    const printed = textsOf(NOTE);
    expect(printed).toContain('\nCredit note\nCN-2627-0000007\n23 Nov 2026\nBill to\n');
    expect(printed).toContain('\nInvoice of 23 Nov 2026\nINV-2627-0000042\nReason\ntorn seam\n');
    expect(printed).toContain('TSHIRT-CLASSIC-2 / Price reduction | 61091000 |  |  | 2,510.60 |');
    expect(printed).toContain('\nCredited, with tax\n₹2,954.14\n');
    expect(await pagesOf(NOTE)).toBe(1);
  });

  it('debit what was credited', () => {
    const printed = textsOf({ ...NOTE, kind: 'debit_note', number: 'DN-2627-0000003' });
    expect(printed).toContain('\nDebit note\nDN-2627-0000003\n');
    expect(printed).toContain('TSHIRT-CLASSIC-2 / Price reduction taken back |');
    expect(printed).toContain('\nDebited, with tax\n₹2,954.14\n');
  });

  it.each(['credit', 'debit'] as const)('change no tax after the time for it: %s note', (name) => {
    const kind = `${name}_note` as const;
    const items = untaxed(NOTE).map((item) => ({ ...item, taxable: item.gross }));
    const printed = textsOf({ ...NOTE, kind, items, creditEndedOn: '2027-11-30' });
    expect(printed).toContain(`\nCommercial ${name} note\nCN-2627-0000007\n`);
    expect(printed).toContain('\nNo tax is changed: the time for a credit of tax ended on 30 Nov 2027.\n');
    expect(printed).toContain('\nTotal; no tax is changed\n₹2,954.14\n');
    expect(printed).not.toMatch(/Taxable value|GST \|/);
  });

  it('confirm an advance without tax (Rule 50)', async () => {
    const kind = 'receipt_voucher';
    const items = [{ ...first!, description: 'Advance for goods' }];
    const given = { kind, number: 'RV-2627-0000001', orderNumber: null, gross: '1000000.00', items } as const;
    const receipt = withFacts(made(1, { ...given, items, placeOfSupply: '' }), {
      client: { state: '', address: '' },
      deliver_to: null,
      store_order_id: null,
      placed_at: null,
    });
    const printed = textsOf(receipt);
    expect(printed).toContain('\nReceipt voucher\nRV-2627-0000001\n23 Nov 2026\nReceived from\nBengaluru');
    expect(printed).toContain('LLP\nGSTIN 29AAGCB7383J1Z4\nReverse charge\nNo\n');
    expect(printed).toContain('Rupees Ten Lakh Only\nAdvance for goods. No tax is due on it before');
    expect(printed).toContain('\nAmount received\n₹10,00,000.00\n');
    expect(printed).not.toContain('Taxable value');
    expect(await pagesOf(receipt)).toBe(1);
  });

  it('of money that is paid back have its receipts and no tax (Rule 51)', () => {
    const returns = [
      { number: 'RV-2627-0000009', issued_on: '2026-11-20', amount: '1500.00' },
      { number: 'RV-2627-0000004', issued_on: '2026-10-02', amount: '0.50' },
    ];
    const voucher = made(1, { kind: 'refund_voucher', orderNumber: null, gross: '1500.50' });
    const printed = textsOf(withFacts(voucher, { returns }));
    expect(printed).toContain('Refund voucher\nINV-2627-0000042');
    expect(printed).toContain('Paid back to\n');
    expect(printed).toContain('Receipt voucher of 20 Nov 2026\nRV-2627-0000009: ₹1,500.00\n');
    expect(printed).toContain('Receipt voucher of 2 Oct 2026\nRV-2627-0000004: ₹0.50\n');
    expect(printed).toContain('It is paid back. No tax was due on it (Notification 66/2017 – Central Tax).');
    expect(printed).toContain('Amount paid back');
    expect(printed).not.toContain('Taxable value');
  });
});
