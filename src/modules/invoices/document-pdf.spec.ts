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

const pagesOf = (file: Buffer) => file.toString('latin1').match(/\/Type \/Page\b(?!s)/g)?.length;
const untaxed = (document: IssuedDocument) => document.items.map((item) => ({ ...item, gstRate: '0.00' }));

describe('An invoice on paper', () => {
  it('has three copies, and other documents one', async () => {
    const copiesOf = async (document: IssuedDocument, copies: Copies) => {
      async function* each() {
        yield document;
      }
      const texts: string[] = [];
      for await (const { draw } of printedDocumentsOf(copies, each())) texts.push(textsDrawn(draw));
      return texts.map((text) => /^.* for (recipient|transporter|supplier)$/m.exec(text)?.[0]);
    };
    const invoice = made(2);
    expect(await copiesOf(invoice, 'all')).toEqual([
      'Original for recipient',
      'Duplicate for transporter',
      'Triplicate for supplier',
    ]);
    expect(await copiesOf(invoice, 'original')).toEqual(['Original for recipient']);
    expect(await copiesOf({ ...invoice, kind: 'credit_note' }, 'all')).toEqual([undefined]);
  });

  it('names UTGST where there is no legislature', () => {
    const seller = { ...made(1).facts.seller, state: '04' };
    const within = { ...made(1), placeOfSupply: '04', facts: { ...made(1).facts, seller } };
    expect(textsOf(within)).toMatch(/ \| CGST \| UTGST \| /);
  });

  it('of money that is paid back has its receipts and no tax (Rule 51)', () => {
    const returns = [
      { number: 'RV-2627-0000009', issued_on: '2026-11-20', amount: '1500.00' },
      { number: 'RV-2627-0000004', issued_on: '2026-10-02', amount: '0.50' },
    ];
    const document = made(1, { kind: 'refund_voucher', orderNumber: null, gross: '1500.50' });
    const text = textsOf({ ...document, facts: { ...document.facts, returns } });
    expect(text).toContain('Refund voucher\nINV-2627-0000042');
    expect(text).toContain('Paid back to\n');
    expect(text).toContain('Receipt voucher of 20 Nov 2026\nRV-2627-0000009: ₹1,500.00\n');
    expect(text).toContain('Receipt voucher of 2 Oct 2026\nRV-2627-0000004: ₹0.50\n');
    expect(text).toContain('It is paid back. No tax was due on it (Notification 66/2017 – Central Tax).');
    expect(text).toContain('Amount paid back');
    expect(text).not.toContain('Taxable value');
  });

  it('of a special economic zone has IGST and its endorsement, unless nothing is taxed', () => {
    const document = made(2);
    const facts = { ...document.facts, client: { ...document.facts.client, gst_category: 'sez' as const } };
    const words =
      'SUPPLY TO SEZ UNIT OR SEZ DEVELOPER FOR AUTHORISED OPERATIONS ON PAYMENT OF INTEGRATED TAX';
    const text = textsOf({ ...document, facts });
    expect(text).toContain(words);
    expect(text).toMatch(/ \| IGST \| Total/);
    for (const other of [
      { ...document, facts, items: untaxed(document) },
      { ...document, facts, kind: 'credit_note' as const },
      document,
    ])
      expect(textsOf(other)).not.toContain(words);
    const uin = { ...facts.client, gst_category: 'uin' as const, gstin: '0717UNO00157UNO' };
    expect(textsOf({ ...document, facts: { ...facts, client: uin } })).toContain('\nUIN 0717UNO00157UNO\n');
  });

  it('has the fields of Rule 46', () => {
    expect(textsOf(made(2))).toBe(`Kaveri Wholesale Private Limited
4th Floor, Unit 12, Lodha Supremus
Senapati Bapat Marg, Lower Parel
Mumbai 400013
GSTIN 27AAPFU0939F1ZV
State Maharashtra (27)
Tax invoice
INV-2627-0000042
23 Nov 2026
Original for recipient
Bill to
Bengaluru Boutique LLP
221, 100 Feet Road, Indiranagar
Bengaluru 560038
GSTIN 29AAGCB7383J1Z4
State Maharashtra (27)
Deliver to
अनन्या क्षत्रिय
Flat 7B, Shanti Apartments, 3rd Cross, Gandhinagar
Bengaluru 560009
Karnataka, India
Phone +91 98450 12345
Place of supply
Maharashtra (27)
Reverse charge
No
Order of 21 Nov 2026
WO-20261120-7K3M9-QXA2B
Order of the store
WEB-1001
No. | Item | HSN | Quantity | Price with tax | Taxable value | CGST | SGST | Total
1 | Classic Cotton T-Shirt, Color:Navy|Size:M / TSHIRT-CLASSIC-1 | 61091000 | 1 PCS | 318.00 | \
269.50 | 9 % / 24.25 | 9 % / 24.25 | 318.00
2 | Hand-woven Banarasi silk saree with zari border, Color:Navy|Size:Free / TSHIRT-CLASSIC-2 | \
61091000 | 2 PCS | 1,318.07 | 2,510.60 | 2.5 % / 62.77 | 2.5 % / 62.77 | 2,636.14
 | Total in ₹ |  |  |  | 2,780.10 | 87.02 | 87.02 | 2,954.14
Sums by rate | Taxable value | CGST | SGST | Total
5 % | 2,510.60 | 62.77 | 62.77 | 2,636.14
18 % | 269.50 | 24.25 | 24.25 | 318.00
Total in words: Rupees Two Thousand Nine Hundred Fifty Four and Paise Fourteen Only
Total, with tax
₹2,954.14
For Kaveri Wholesale Private Limited
Authorised signatory`);
  });

  it('of another state has IGST', () => {
    const printed = textsOf(made(1, {}, '29'));
    expect(printed).toContain('Taxable value | IGST | Total\n');
    expect(printed).toContain('| 269.49 | 18 % / 48.51 | 318.00\n');
    expect(printed).toContain('Place of supply\nKarnataka (29)');
  });

  it('says what it lacks: a GSTIN, or tax', () => {
    const document = made(2);
    const client = { ...document.facts.client, gstin: null };
    const unregistered = { ...document, facts: { ...document.facts, client } };
    expect(textsOf(unregistered)).toContain('\nUnregistered: no GSTIN\n');
    const items = untaxed(document);
    const mixed = [document.items[0]!, items[1]!];
    expect(textsOf({ ...document, items })).toContain('\nBill of supply\n');
    expect(textsOf({ ...document, items })).toContain('\nTotal\n₹2,954.14');
    expect(textsOf({ ...document, items })).not.toMatch(/with tax|Sums by rate/);
    expect(textsOf({ ...document, items: mixed })).toContain('\nTax invoice\n');
    expect(textsOf({ ...unregistered, items: mixed })).toContain('\nInvoice-cum-bill of supply\n');
  });

  it('has one page for ten lines, as many as it needs for forty, and the same bytes each time', async () => {
    const ten = await fileOf(made(10));
    expect(pagesOf(ten)).toBe(1);
    expect(pagesOf(await fileOf(made(40, {}, '29')))).toBe(3);
    expect((await fileOf(made(10))).equals(ten)).toBe(true);
  });

  it('shows its registration at the tax portal, which changes nothing else', async () => {
    const eInvoice = {
      irn: '0123456789abcdef'.repeat(4),
      ackNumber: '232210036743849',
      ackedAt: Date.parse('2026-11-23T20:00:00Z'),
      signedQr: `eyJhbGciOiJSUzI1NiJ9.${'a1B2'.repeat(140)}.${'c3D4'.repeat(85)}`,
      cancelledAt: null,
    };
    const [printed, plain] = [textsOf(made(2, { eInvoice })), textsOf(made(2, { eInvoice: null }))];
    const printedText = `Only
QR code: ${eInvoice.signedQr}
IRN: 0123456789abcdef0123456789abcdef
0123456789abcdef0123456789abcdef
Acknowledgement: 232210036743849
Acknowledged on: 24 Nov 2026
`;
    expect(printed).toContain(printedText);
    expect(printed.replace(printedText, 'Only\n')).toBe(plain);
    expect(plain).toBe(textsOf(made(2)));
    const withdrawn = made(2, { eInvoice: { ...eInvoice, cancelledAt: eInvoice.ackedAt } });
    const stamps = [
      made(2),
      made(2, { eInvoice }),
      withdrawn,
      made(2, { awaitsIrn: true }),
      made(2, { isSample: true }),
    ].map((one) => layoutOf(one).stamp);
    const cancelled = textsOf(withdrawn);
    expect(cancelled).toContain('IRN cancelled on: 24 Nov 2026');
    expect(cancelled).not.toContain('QR code');
    expect(stamps).toEqual([undefined, undefined, 'Cancelled', 'Draft: not valid without IRN', 'Sample']);
    expect(pagesOf(await fileOf(made(6, { eInvoice })))).toBe(1);
  });

  it('shows its e-way bill, once it has a number', () => {
    const eWayBill = {
      billNumber: '341008123456',
      generatedAt: Date.parse('2026-11-23T10:00:00Z'),
      validUntil: Date.parse('2026-11-24T18:29:00Z'),
      transport: { vehicle_number: 'KA01AB1234' },
    };
    const printed = textsOf(made(2, { eWayBill }));
    expect(printed).toContain('\nE-way bill\n341008123456\nvalid until 24 Nov 2026\nVehicle\nKA01AB1234\n');
    expect(textsOf(made(2, { eWayBill: { ...eWayBill, validUntil: null, transport: {} } }))).not.toMatch(
      /valid|Vehicle/,
    );
    expect(textsOf(made(2, { eWayBill: { ...eWayBill, billNumber: null } }))).toBe(textsOf(made(2)));
  });

  it('knows whether boxes stand for letters', () => {
    const document = made(1);
    expect(isReadable(document)).toBe(true);
    const client = { ...document.facts.client, name: 'රුවන් වෙළඳසැල' };
    expect(isReadable({ ...document, facts: { ...document.facts, client } })).toBe(false);
  });
});

describe('Other documents on paper', () => {
  it('name the invoice that they reduce, and why (Rule 53)', async () => {
    const invoice = made(2);
    const note = made(2, {
      kind: 'credit_note',
      number: 'CN-2627-0000007',
      reason: 'torn seam',
      facts: { ...invoice.facts, against: { number: invoice.number, issued_on: invoice.issuedOn } },
      items: invoice.items.map((item, at) => (at === 1 ? { ...item, quantity: 0 } : item)),
    });
    const printed = textsOf(note);
    expect(printed).toContain('\nCredit note\nCN-2627-0000007\n23 Nov 2026\nBill to\n');
    expect(printed).toContain('\nInvoice of 23 Nov 2026\nINV-2627-0000042\nReason\ntorn seam\n');
    expect(printed).toContain('TSHIRT-CLASSIC-2 / Price reduction | 61091000 |  |  | 2,510.60 |');
    expect(printed).toContain('\nCredited, with tax\n₹2,954.14\n');
    expect(pagesOf(await fileOf(note))).toBe(1);
    const back = textsOf({ ...note, kind: 'debit_note', number: 'DN-2627-0000003' });
    expect(back).toContain('\nDebit note\nDN-2627-0000003\n');
    expect(back).toContain('TSHIRT-CLASSIC-2 / Price reduction taken back |');
    expect(back).toContain('\nDebited, with tax\n₹2,954.14\n');
    const withoutTax = note.items.map((item) => ({ ...item, gstRate: '0.00', taxable: item.gross }));
    const late = { ...note, items: withoutTax, creditEndedOn: '2027-11-30' };
    for (const kind of ['credit_note', 'debit_note'] as const) {
      const words = textsOf({ ...late, kind });
      expect(words).toContain(`\nCommercial ${kind.replace('_', ' ')}\nCN-2627-0000007\n`);
      expect(words).toContain('\nNo tax is changed: the time for a credit of tax ended on 30 Nov 2027.\n');
      expect(words).toContain('\nTotal; no tax is changed\n₹2,954.14\n');
      expect(words).not.toMatch(/Taxable value|GST \|/);
    }
  });

  it('confirm an advance without tax (Rule 50)', async () => {
    const { facts, items } = made(1);
    const receipt = made(1, {
      kind: 'receipt_voucher',
      number: 'RV-2627-0000001',
      orderNumber: null,
      placeOfSupply: '',
      gross: '1000000.00',
      items: [{ ...items[0]!, description: 'Advance for goods' }],
      facts: {
        ...facts,
        client: { ...facts.client, state: '', address: '' },
        deliver_to: null,
        store_order_id: null,
        placed_at: null,
      },
    });
    const printed = textsOf(receipt);
    expect(printed).toContain('\nReceipt voucher\nRV-2627-0000001\n23 Nov 2026\nReceived from\nBengaluru');
    expect(printed).toContain('LLP\nGSTIN 29AAGCB7383J1Z4\nReverse charge\nNo\n');
    expect(printed).toContain('Rupees Ten Lakh Only\nAdvance for goods. No tax is due on it before');
    expect(printed).toContain('\nAmount received\n₹10,00,000.00\n');
    expect(printed).not.toContain('Taxable value');
    expect(pagesOf(await fileOf(receipt))).toBe(1);
  });
});
