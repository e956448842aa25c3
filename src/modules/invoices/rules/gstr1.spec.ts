import { formatDocumentNumber, parseDocumentNumber } from './document-number.js';
import { type DocumentPart, groupRows, Gstr1, isZeroRated, supplyTypeOf } from './gstr1.js';

const GSTIN = '29AAPFU0939F1ZR';

/** No number was skipped. */
function numberBefore(number: string): string {
  const { count, ...series } = parseDocumentNumber(number)!;
  return count === 1 ? '' : formatDocumentNumber(series, count - 1);
}

/** ₹118 at 18 %, to an unregistered client in the seller's state. */
function part(given: Partial<DocumentPart> = {}): DocumentPart {
  const gross = given.gross ?? 11_800;
  const taxable = given.taxable ?? 10_000;
  return {
    kind: 'invoice',
    number: 'INV-2627-0000001',
    issuedOn: '2026-11-01',
    suppliedOn: null,
    isWithoutTax: false,
    isCancelled: false,
    numberBefore: numberBefore(given.number ?? 'INV-2627-0000001'),
    value: gross,
    invoiceValue: given.value ?? gross,
    gstin: null,
    gstCategory: null,
    client: 'Anaya Home',
    sellerState: '29',
    placeOfSupply: '29',
    hsn: '6109',
    rate: 18,
    treatment: 'taxable',
    unit: 'NOS',
    quantity: 2,
    gross,
    taxable,
    cgst: 0,
    sgst: 0,
    igst: gross - taxable,
    ...given,
  };
}

function filesOf(...parts: DocumentPart[]) {
  const gstr1 = new Gstr1();
  for (const one of parts) gstr1.add(one);
  const files = gstr1.files();
  return Object.fromEntries(files.map(({ name, rows }) => [name, rows]));
}

const filled = (files: ReturnType<typeof filesOf>) =>
  ['b2b', 'b2cl', 'b2cs', 'cdnr', 'cdnur'].filter((name) => files[name]!.length > 0);

const NOTE = { kind: 'credit_note', number: 'CN-2627-0000001' } as const;
const LARGE = 100_000_00;

const docsRow = (nature: string, from: string, to: string, total: number, cancelled = 0) => ({
  'Nature of Document': nature,
  'Sr. No. From': from,
  'Sr. No. To': to,
  'Total Number': String(total),
  Cancelled: String(cancelled),
});

describe('GSTR-1', () => {
  it('has documents by their own date, and names those whose goods left in an earlier month', () => {
    const gstr1 = new Gstr1();
    gstr1.add(part({ gstin: GSTIN, suppliedOn: '2026-10-31' }));
    gstr1.add(part({ gstin: GSTIN, suppliedOn: '2026-10-31', rate: 5 }));
    gstr1.add(part({ number: 'INV-2627-0000002', issuedOn: '2026-11-02', suppliedOn: '2026-11-01' }));
    expect(gstr1.lateNumbers).toEqual(['INV-2627-0000001']);
    const rows = Object.fromEntries(gstr1.files().map((file) => [file.name, file.rows]));
    expect([rows.docs![0]!['Total Number'], rows.b2b!.length, rows.b2cs!.length]).toEqual(['2', 2, 1]);
  });

  it('counts the number of a note that changes no tax, and no amount', () => {
    const note = part({ ...NOTE, gstin: GSTIN, rate: 0, taxable: 11_800, isWithoutTax: true });
    const { docs, exemp, 'hsn(b2b)': goods, ...files } = filesOf(note);
    expect(docs).toMatchObject([{ 'Sr. No. From': note.number, 'Total Number': '1' }]);
    expect(exemp!.every((row) => Object.values(row).every((cell) => !/[1-9]/.test(cell)))).toBe(true);
    expect([filled(files), goods]).toEqual([[], []]);
  });

  it('has the columns of the offline tool', () => {
    const files = new Gstr1().files();
    expect(files.map(({ name, columns }) => `${name}: ${columns.join(',')}`)).toEqual([
      'b2b: GSTIN/UIN of Recipient,Receiver Name,Invoice Number,Invoice date,Invoice Value,' +
        'Place Of Supply,Reverse Charge,Applicable % of Tax Rate,Invoice Type,E-Commerce GSTIN,Rate,' +
        'Taxable Value,Cess Amount',
      'b2cl: Invoice Number,Invoice date,Invoice Value,Place Of Supply,Applicable % of Tax Rate,Rate,' +
        'Taxable Value,Cess Amount,E-Commerce GSTIN',
      'b2cs: Type,Place Of Supply,Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount,E-Commerce GSTIN',
      'cdnr: GSTIN/UIN of Recipient,Receiver Name,Note Number,Note Date,Note Type,Place Of Supply,' +
        'Reverse Charge,Note Supply Type,Note Value,Applicable % of Tax Rate,Rate,Taxable Value,' +
        'Cess Amount',
      'cdnur: UR Type,Note Number,Note Date,Note Type,Place Of Supply,Note Value,' +
        'Applicable % of Tax Rate,Rate,Taxable Value,Cess Amount',
      'exemp: Description,Nil Rated Supplies,Exempted(other than nil rated/non GST supply),Non-GST Supplies',
      'hsn(b2b): HSN,Description,UQC,Total Quantity,Total Value,Rate,Taxable Value,' +
        'Integrated Tax Amount,Central Tax Amount,State/UT Tax Amount,Cess Amount',
      'hsn(b2c): HSN,Description,UQC,Total Quantity,Total Value,Rate,Taxable Value,' +
        'Integrated Tax Amount,Central Tax Amount,State/UT Tax Amount,Cess Amount',
      'docs: Nature of Document,Sr. No. From,Sr. No. To,Total Number,Cancelled',
    ]);
  });

  it('has a row for each rate of an invoice to a registered client', () => {
    const own = { gstin: GSTIN, value: 22_200, placeOfSupply: '01' };
    const { b2b } = filesOf(
      part(own),
      part({ ...own, hsn: '6110' }),
      part({ ...own, rate: 2.5, taxable: 1 }),
    );
    expect(b2b).toEqual([
      {
        'GSTIN/UIN of Recipient': GSTIN,
        'Receiver Name': 'Anaya Home',
        'Invoice Number': 'INV-2627-0000001',
        'Invoice date': '01-Nov-2026',
        'Invoice Value': '222.00',
        'Place Of Supply': '01-Jammu & Kashmir',
        'Reverse Charge': 'N',
        'Applicable % of Tax Rate': '',
        'Invoice Type': 'Regular B2B',
        'E-Commerce GSTIN': '',
        Rate: '18',
        'Taxable Value': '200.00',
        'Cess Amount': '0.00',
      },
      expect.objectContaining({ 'Invoice Value': '222.00', Rate: '2.5', 'Taxable Value': '0.01' }),
    ]);
  });

  it('writes days with the name of their month', () => {
    const days = Array.from({ length: 12 }, (_, at) => `2026-${String(at + 1).padStart(2, '0')}-05`);
    const { b2b } = filesOf(
      ...days.map((issuedOn, at) =>
        part({ gstin: GSTIN, number: `INV-2627-${String(at + 1).padStart(7, '0')}`, issuedOn }),
      ),
    );
    expect(b2b!.map((row) => row['Invoice date']!.split('-')[1]).join(' ')).toBe(
      'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
    );
  });

  it('has debit notes beside the credit notes; elsewhere they add', () => {
    const debit = { kind: 'debit_note', number: 'DN-2627-0000001' } as const;
    const [inside, far] = [part(debit), { ...part(debit), placeOfSupply: '27', invoiceValue: LARGE + 1 }];
    expect(filesOf(part({ ...debit, gstin: GSTIN })).cdnr).toEqual([
      expect.objectContaining({ 'Note Number': debit.number, 'Note Type': 'D', 'Note Value': '118.00' }),
    ]);
    expect(filesOf(far).cdnur).toEqual([expect.objectContaining({ 'Note Type': 'D', 'UR Type': 'B2CL' })]);
    const { b2cs, docs, 'hsn(b2c)': goods } = filesOf(part(NOTE), inside, part());
    expect([b2cs![0]!['Taxable Value'], goods![0]!['Total Quantity']]).toEqual(['100.00', '2']);
    expect(docs!.map((row) => row['Nature of Document'])).toEqual([
      'Credit Note',
      'Debit Note',
      'Invoices for outward supply',
    ]);
    const { exemp } = filesOf({ ...inside, rate: 0 });
    expect(exemp!.map((row) => row['Nil Rated Supplies'])).toEqual(['0.00', '0.00', '0.00', '100.00']);
  });

  it('has a row for each rate of a credit note to a registered client', () => {
    const { cdnr, b2cs } = filesOf(part({ ...NOTE, gstin: GSTIN }));
    expect(b2cs).toEqual([]);
    expect(cdnr).toEqual([
      {
        'GSTIN/UIN of Recipient': GSTIN,
        'Receiver Name': 'Anaya Home',
        'Note Number': 'CN-2627-0000001',
        'Note Date': '01-Nov-2026',
        'Note Type': 'C',
        'Place Of Supply': '29-Karnataka',
        'Reverse Charge': 'N',
        'Note Supply Type': 'Regular B2B',
        'Note Value': '118.00',
        'Applicable % of Tax Rate': '',
        Rate: '18',
        'Taxable Value': '100.00',
        'Cess Amount': '0.00',
      },
    ]);
  });

  it.each([
    ['b2cs', 'in the state, however large', { value: LARGE * 9 }],
    ['b2cs', 'to another state, up to ₹1,00,000', { value: LARGE, placeOfSupply: '27' }],
    ['b2cl', 'to another state, above ₹1,00,000', { value: LARGE + 1, placeOfSupply: '27' }],
    ['b2b', 'to a registered client, however large', { value: LARGE * 9, placeOfSupply: '27', gstin: GSTIN }],
  ])('puts an invoice into %s: %s', (section, _, given) => {
    expect(filled(filesOf(part(given)))).toEqual([section]);
  });

  it.each([
    ['b2cs', 'a small invoice', { invoiceValue: LARGE, placeOfSupply: '27' }],
    ['cdnur', 'a large invoice', { invoiceValue: LARGE + 1, placeOfSupply: '27' }],
    ['b2cs', 'a large invoice in the state', { invoiceValue: LARGE + 1 }],
  ])('puts a small credit note into %s: against %s', (section, _, given) => {
    expect(filled(filesOf(part({ ...NOTE, ...given })))).toEqual([section]);
  });

  it('shows large documents to unregistered clients singly', () => {
    const { b2cl, cdnur } = filesOf(
      part({ value: LARGE + 1, placeOfSupply: '27' }),
      part({ ...NOTE, value: 11_800, invoiceValue: LARGE + 1, placeOfSupply: '27' }),
    );
    expect(b2cl).toMatchObject([
      {
        'Invoice Number': 'INV-2627-0000001',
        'Invoice Value': '100000.01',
        'Place Of Supply': '27-Maharashtra',
      },
    ]);
    expect(cdnur).toEqual([
      {
        'UR Type': 'B2CL',
        'Note Number': 'CN-2627-0000001',
        'Note Date': '01-Nov-2026',
        'Note Type': 'C',
        'Place Of Supply': '27-Maharashtra',
        'Note Value': '118.00',
        'Applicable % of Tax Rate': '',
        Rate: '18',
        'Taxable Value': '100.00',
        'Cess Amount': '0.00',
      },
    ]);
  });

  it('adds up small invoices less credit notes by state and rate', () => {
    const { b2cs } = filesOf(
      part(),
      part({ number: 'INV-2627-0000002', taxable: 4_000 }),
      part({ rate: 5 }),
      part({ placeOfSupply: '27' }),
      part({ ...NOTE, taxable: 500 }),
      part({ ...NOTE, taxable: 700, rate: 5, placeOfSupply: '27' }),
    );
    const row = { Type: 'OE', 'Applicable % of Tax Rate': '', 'Cess Amount': '0.00', 'E-Commerce GSTIN': '' };
    expect(b2cs).toEqual([
      { ...row, 'Place Of Supply': '29-Karnataka', Rate: '18', 'Taxable Value': '135.00' },
      { ...row, 'Place Of Supply': '29-Karnataka', Rate: '5', 'Taxable Value': '100.00' },
      { ...row, 'Place Of Supply': '27-Maharashtra', Rate: '18', 'Taxable Value': '100.00' },
      { ...row, 'Place Of Supply': '27-Maharashtra', Rate: '5', 'Taxable Value': '-7.00' },
    ]);
  });

  it('shows supplies without tax apart, by kind of client and state', () => {
    const free = { rate: 0, taxable: 11_800 };
    const files = filesOf(
      part(free),
      part({ ...free, placeOfSupply: '27' }),
      part({ ...free, gstin: GSTIN }),
      part({ ...free, gstin: GSTIN, placeOfSupply: '27' }),
      part({ ...free, gstin: GSTIN, placeOfSupply: '27' }),
      part({ ...NOTE, ...free, taxable: 800 }),
    );
    expect(filled(files)).toEqual([]);
    const none = { 'Exempted(other than nil rated/non GST supply)': '0.00', 'Non-GST Supplies': '0.00' };
    expect(files.exemp).toEqual([
      { Description: 'Inter-State supplies to registered persons', 'Nil Rated Supplies': '236.00', ...none },
      { Description: 'Intra-State supplies to registered persons', 'Nil Rated Supplies': '118.00', ...none },
      {
        Description: 'Inter-State supplies to unregistered persons',
        'Nil Rated Supplies': '118.00',
        ...none,
      },
      {
        Description: 'Intra-State supplies to unregistered persons',
        'Nil Rated Supplies': '110.00',
        ...none,
      },
    ]);
    expect(filesOf().exemp!.map((row) => row['Nil Rated Supplies'])).toEqual([
      '0.00',
      '0.00',
      '0.00',
      '0.00',
    ]);
  });

  it('tells nil rated, exempt and non-GST supplies apart, also in credit notes', () => {
    const free = { rate: 0, taxable: 11_800 };
    const { exemp } = filesOf(
      part(free),
      part({ ...free, treatment: 'nil_rated', taxable: 200 }),
      part({ ...free, treatment: 'exempt' }),
      part({ ...free, treatment: 'non_gst' }),
      part({ ...NOTE, ...free, treatment: 'exempt', taxable: 800 }),
      part({ rate: 5, treatment: 'taxable' }),
    );
    expect(exemp![3]).toEqual({
      Description: 'Intra-State supplies to unregistered persons',
      'Nil Rated Supplies': '120.00',
      'Exempted(other than nil rated/non GST supply)': '110.00',
      'Non-GST Supplies': '118.00',
    });
  });

  it('adds up goods by HSN code, unit and rate, less what was credited, apart for registered clients', () => {
    const taxes = { cgst: 400, sgst: 300, igst: 200 };
    const files = filesOf(
      part({ gstin: GSTIN, ...taxes }),
      part({ number: 'INV-2627-0000002', ...taxes }),
      part({ number: 'INV-2627-0000002', quantity: 5, ...taxes }),
      part({ ...NOTE, quantity: 1, gross: 1_180, taxable: 1_000, cgst: 40, sgst: 30, igst: 20 }),
      part({ hsn: '6110' }),
      part({ rate: 5 }),
      part({ unit: 'KGS' }),
      part({ unit: '' }),
    );
    const row = {
      HSN: '6109',
      Description: '',
      UQC: 'NOS-NUMBERS',
      'Total Quantity': '2',
      'Total Value': '118.00',
      Rate: '18',
      'Taxable Value': '100.00',
      'Integrated Tax Amount': '2.00',
      'Central Tax Amount': '4.00',
      'State/UT Tax Amount': '3.00',
      'Cess Amount': '0.00',
    };
    expect(files['hsn(b2b)']).toEqual([row]);
    expect(files['hsn(b2c)']).toMatchObject([
      {
        ...row,
        'Total Quantity': '6',
        'Total Value': '224.20',
        'Taxable Value': '190.00',
        'Integrated Tax Amount': '3.80',
        'Central Tax Amount': '7.60',
        'State/UT Tax Amount': '5.70',
      },
      { HSN: '6110', UQC: 'NOS-NUMBERS' },
      { HSN: '6109', Rate: '5' },
      { UQC: 'KGS-KILOGRAMS' },
      { UQC: 'OTH-OTHERS' },
    ]);
  });

  it('adds a delivery charge to goods of its code and rate, without a unit', () => {
    const delivery = part({ unit: null, quantity: 1, gross: 5_900, taxable: 5_000 });
    const goods = (...parts: DocumentPart[]) =>
      filesOf(...parts)['hsn(b2c)']!.map((row) => [
        row.HSN,
        row.Rate,
        row.UQC,
        row['Total Quantity'],
        row['Total Value'],
      ]);
    expect(goods(delivery, part({ rate: 5 }), part({ hsn: '6110' }), part())).toEqual([
      ['6109', '5', 'NOS-NUMBERS', '2', '118.00'],
      ['6110', '18', 'NOS-NUMBERS', '2', '118.00'],
      ['6109', '18', 'NOS-NUMBERS', '2', '177.00'],
    ]);
    expect(goods(delivery, part({ gstin: GSTIN }))).toEqual([['6109', '18', 'OTH-OTHERS', '0', '59.00']]);
    expect(goods(part(), { ...delivery, ...NOTE })).toEqual([['6109', '18', 'NOS-NUMBERS', '2', '59.00']]);
  });

  it('has no unit and no quantity for a service', () => {
    const service = { hsn: '996812', unit: 'NOS' };
    expect(filesOf(part(service), part({ ...service, unit: 'PAC' }))['hsn(b2c)']).toEqual([
      expect.objectContaining({
        HSN: '996812',
        UQC: 'NA',
        'Total Quantity': '0',
        'Taxable Value': '200.00',
      }),
    ]);
  });

  it('has a supply to a special economic zone as inter-state, with tax, as its notes', () => {
    const sez = { gstin: GSTIN, gstCategory: 'sez' } as const;
    const files = filesOf(
      part(sez),
      part({ ...sez, ...NOTE }),
      part({ ...sez, number: 'INV-2627-0000002', rate: 0 }),
    );
    expect(filled(files)).toEqual(['b2b', 'cdnr']);
    expect(files.b2b).toMatchObject([
      { 'Invoice Type': 'SEZ supplies with payment', 'Place Of Supply': '29-Karnataka' },
    ]);
    expect(files.cdnr).toMatchObject([{ 'Note Supply Type': 'SEZ supplies with payment' }]);
    expect(files.exemp!.map((row) => row['Nil Rated Supplies'])).toEqual(['100.00', '0.00', '0.00', '0.00']);
    const uin = filesOf(part({ gstin: '2917UNO00012UN5', gstCategory: 'uin' }));
    expect(uin.b2b).toMatchObject([
      { 'GSTIN/UIN of Recipient': '2917UNO00012UN5', 'Invoice Type': 'Regular B2B' },
    ]);
  });

  it('counts the documents of each series, receipts too', () => {
    const receipt = (number: string) => part({ kind: 'receipt_voucher', number, rate: 0, value: 1 });
    const files = filesOf(
      part(NOTE),
      part({ number: 'INV-2627-0000007' }),
      part({ number: 'INV-2627-0000007', rate: 5 }),
      part({ number: 'INV-2627-0000008' }),
      receipt('RV-2627-0000001'),
      receipt('RV-2627-0000002'),
      part({ kind: 'refund_voucher', number: 'RF-2627-0000001', rate: 0 }),
    );
    expect(files.docs).toEqual([
      docsRow('Credit Note', 'CN-2627-0000001', 'CN-2627-0000001', 1),
      docsRow('Invoices for outward supply', 'INV-2627-0000007', 'INV-2627-0000008', 2),
      docsRow('Receipt Voucher', 'RV-2627-0000001', 'RV-2627-0000002', 2),
      docsRow('Refund Voucher', 'RF-2627-0000001', 'RF-2627-0000001', 1),
    ]);
    expect(filesOf(part(), part({ number: 'INV2-2627-000001' })).docs).toEqual([
      docsRow('Invoices for outward supply', 'INV-2627-0000001', 'INV-2627-0000001', 1),
      docsRow('Invoices for outward supply', 'INV2-2627-000001', 'INV2-2627-000001', 1),
    ]);
    expect(filesOf(receipt('RV-2627-0000001'))).toMatchObject({ 'hsn(b2c)': [], b2cs: [] });
    expect(filesOf().docs).toEqual([]);
  });

  it('counts skipped numbers as cancelled, before the first document and between two', () => {
    const docs = (...parts: DocumentPart[]) => filesOf(...parts).docs;
    const number = 'INV-2627-0000007';
    const nature = 'Invoices for outward supply';
    expect(docs(part({ number, numberBefore: 'INV-2627-0000004' }))).toEqual([
      docsRow(nature, 'INV-2627-0000005', number, 3, 2),
    ]);
    const seventh = part({ number, numberBefore: 'INV-2627-0000001' });
    expect(docs(part(), seventh, { ...seventh, rate: 5 })).toEqual([
      docsRow(nature, 'INV-2627-0000001', number, 7, 5),
    ]);
    for (const last of ['INV-2526-0000006', 'CN-2627-0000006', ''])
      expect(docs(part({ number: 'INV-2627-0000002', numberBefore: last }))).toEqual([
        docsRow(nature, 'INV-2627-0000001', 'INV-2627-0000002', 2, 1),
      ]);
  });

  it('reports only the number of an invoice whose IRN was cancelled, and of its note', () => {
    const own = { gstin: GSTIN, isCancelled: true };
    const again = part({ gstin: GSTIN, number: 'INV-2627-0000002' });
    const files = filesOf(part({ ...NOTE, ...own }), part(own), part({ ...own, rate: 0 }), again);
    const { docs, b2b, exemp } = files;
    expect(docs).toEqual([
      docsRow('Credit Note', NOTE.number, NOTE.number, 1, 1),
      docsRow('Invoices for outward supply', 'INV-2627-0000001', again.number, 2, 1),
    ]);
    expect(b2b!.map((one) => one['Invoice Number'])).toEqual([again.number]);
    expect(filled(files)).toEqual(['b2b']);
    expect(exemp!.every((one) => one['Nil Rated Supplies'] === '0.00')).toBe(true);
    expect(files['hsn(b2b)']).toMatchObject([{ 'Total Quantity': '2' }]);
  });
});

describe('A row of GSTR-1', () => {
  it('stands with the rows of its document', () => {
    const rows = [
      { Number: 'A', Rate: '5' },
      { Number: 'B', Rate: '5' },
      { Number: 'A', Rate: '18' },
    ];
    expect(
      groupRows(
        rows,
        ({ Number: number }) => ({ number }),
        (all) => all,
      ),
    ).toEqual([[rows[0], rows[2]], [rows[1]]]);
  });

  it.each([
    [{ 'Invoice Type': 'SEZ supplies with payment' }, 'SEZ supplies with payment', true],
    [{ 'Note Supply Type': 'SEZ supplies with payment' }, 'SEZ supplies with payment', true],
    [{ 'Invoice Type': 'Regular B2B' }, 'Regular B2B', false],
    [{}, '', false],
  ])('%j has its kind of supply', (row, type, isZero) => {
    expect([supplyTypeOf(row as never), isZeroRated(row as never)]).toEqual([type, isZero]);
  });
});
