import { text } from 'node:stream/consumers';
import sax from 'sax';
import { STANDARD_NAMES } from './ledger-names.js';
import { ledgerMessage, tallyFile, voucherMessage } from './tally.js';
import {
  type DocumentRow,
  type MoneyRow,
  type Voucher,
  voucherOfDocument,
  voucherOfMoney,
} from './voucher.js';

const CLIENT = { clientId: 7, client: 'Anaya & "Sons" <\u0001>', gstin: null, state: '32', category: null };
const PARTY = 'Anaya & "Sons" <> (7)';

const sold = (rate: number, taxable: string, given: Partial<DocumentRow['rates'][number]> = {}) => ({
  rate,
  taxable,
  treatment: 'taxable' as const,
  hsn: '6912',
  ...given,
});
const INVOICE: DocumentRow = {
  ...CLIENT,
  kind: 'invoice',
  number: 'INV-2627-0000001',
  day: '2026-11-30',
  orderNumber: 'WO-1',
  against: null,
  againstDay: null,
  isWithoutTax: false,
  placeOfSupply: '32',
  suppliedOn: null,
  party: { name: 'Anaya Old', gstin: '29AAPFU0939F1ZR', state: '29' },
  seller: { gstin: '27AAPFU0939F1ZV', state: '27' },
  cgst: '9.45',
  sgst: '9.45',
  igst: '0.00',
  rates: [sold(0, '20.00'), sold(5, '18.00'), sold(18, '100.05')],
};
const UNTAXED = { cgst: '0.00', sgst: '0.00' };
/** Of a credit or a debit note. */
const CHANGED = {
  ...UNTAXED,
  against: 'INV-1',
  againstDay: '2026-10-01',
  igst: '0.90',
  rates: [sold(0.25, '18.00')],
};
const document = (given: Partial<DocumentRow> = {}) => voucherOfDocument({ ...INVOICE, ...given });
const money = (against: MoneyRow['against'], amount: string) =>
  voucherOfMoney({ ...CLIENT, entry: '3', day: '2026-12-01', against, amount, note: 'U1' });

/** The texts of each tag, as an XML parser reads them. */
function read(xml: string): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  let open = '';
  const parser = Object.assign(sax.parser(true), {
    onerror: (error: Error) => {
      throw error;
    },
    onopentag: ({ name }: { name: string }) => (open = name),
    ontext: (content: string) => content.trim() && (texts[open] ??= []).push(content),
  });
  parser.write(xml).close();
  return texts;
}

const tagsOf = (voucher: Voucher) => read(voucherMessage(voucher));

function entriesOf(voucher: Voucher) {
  const { LEDGERNAME: names, AMOUNT: amounts, ISDEEMEDPOSITIVE: debits } = tagsOf(voucher);
  return names!.map((name, at) => `${debits![at] === 'Yes' ? 'Dr' : 'Cr'} ${name} ${amounts![at]}`);
}

describe('A voucher for Tally', () => {
  it.each<[Voucher['type'], Voucher, string[]]>([
    [
      'Sales',
      document(),
      [
        `Dr ${PARTY} -156.95`,
        'Cr Sales exempt 20.00',
        'Cr Sales 5% 18.00',
        'Cr Sales 18% 100.05',
        'Cr CGST 9.45',
        'Cr SGST 9.45',
      ],
    ],
    [
      'Credit Note',
      document({ ...CHANGED, kind: 'credit_note' }),
      [`Cr ${PARTY} 18.90`, 'Dr Sales 0.25% -18.00', 'Dr IGST -0.90'],
    ],
    [
      'Credit Note',
      document({ ...UNTAXED, kind: 'credit_note', isWithoutTax: true, rates: [sold(0, '18.90')] }),
      [`Cr ${PARTY} 18.90`, 'Dr Credits without tax -18.90'],
    ],
    [
      'Debit Note',
      document({ ...CHANGED, kind: 'debit_note' }),
      [`Dr ${PARTY} -18.90`, 'Cr Sales 0.25% 18.00', 'Cr IGST 0.90'],
    ],
    ['Receipt', money('bank', '500.00'), [`Cr ${PARTY} 500.00`, 'Dr Bank -500.00']],
    ['Receipt', money('cash', '500.00'), [`Cr ${PARTY} 500.00`, 'Dr Cash -500.00']],
    ['Payment', money('in_transit', '-0.01'), [`Dr ${PARTY} -0.01`, 'Cr Payment gateway 0.01']],
    ['Payment', money('bank', '-7.00'), [`Dr ${PARTY} -7.00`, 'Cr Bank 7.00']],
    ['Journal', money('tds', '5.00'), [`Cr ${PARTY} 5.00`, 'Dr TDS receivable -5.00']],
    ['Journal', money('adjustments', '-5.00'), [`Dr ${PARTY} -5.00`, 'Cr Wallet corrections 5.00']],
  ])('of the type %s adds up to zero, the client first', (type, voucher, entries) => {
    expect(voucher.type).toBe(type);
    expect(entriesOf(voucher)).toEqual(entries);
    expect(voucher.entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  });

  it('of a document has its number, its day, its own party and the place of supply', () => {
    const tags = tagsOf(document({ gstin: '32AAPFU0939F1ZR' }));
    expect(tags).toMatchObject({
      DATE: ['20261130'],
      VOUCHERNUMBER: ['INV-2627-0000001'],
      GUID: ['wholesale-INV-2627-0000001'],
      PARTYLEDGERNAME: [PARTY],
      PARTYNAME: ['Anaya Old'],
      PARTYGSTIN: ['29AAPFU0939F1ZR'],
      STATENAME: ['Karnataka'],
      GSTREGISTRATIONTYPE: ['Regular'],
      PLACEOFSUPPLY: ['Kerala'],
      COUNTRYOFRESIDENCE: ['India'],
      CMPGSTIN: ['27AAPFU0939F1ZV'],
      CMPGSTREGISTRATIONTYPE: ['Regular'],
      CMPGSTSTATE: ['Maharashtra'],
      VCHGSTSTATUSISINCLUDED: ['Yes'],
    });
    expect(tags).not.toHaveProperty('REFERENCE');
    expect(tagsOf(money('bank', '1.00'))).not.toHaveProperty('PLACEOFSUPPLY');
  });

  it('of an unregistered party has no GSTIN', () => {
    const tags = tagsOf(document({ party: { ...INVOICE.party, gstin: null } }));
    expect(tags.GSTREGISTRATIONTYPE).toEqual(['Unregistered']);
    expect(tags).not.toHaveProperty('PARTYGSTIN');
  });

  it('of a note names its invoice and the day of that; of an older supply also when the goods left', () => {
    expect(tagsOf(document({ ...CHANGED, kind: 'credit_note', suppliedOn: '2026-10-31' }))).toMatchObject({
      REFERENCE: ['INV-1'],
      REFERENCEDATE: ['20261001'],
      NARRATION: ['Order WO-1, INV-1, goods left on 2026-10-31'],
    });
  });

  it('has the HSN code, the kind and the rates of each line of goods', () => {
    const rates = [
      sold(0, '20.00', { treatment: 'exempt', hsn: '0401' }),
      sold(5, '18.00'),
      sold(5, '2.00', { hsn: '996511' }),
    ];
    expect(tagsOf(document({ rates }))).toMatchObject({
      LEDGERNAME: [PARTY, 'Sales exempt', 'Sales 5%', 'Sales 5%', 'CGST', 'SGST'],
      GSTHSNNAME: ['0401', '6912', '996511'],
      GSTOVRDNTAXABILITY: ['Exempt', 'Taxable', 'Taxable'],
      GSTOVRDNTYPEOFSUPPLY: ['Goods', 'Goods', 'Services'],
      GSTRATEDUTYHEAD: rates.flatMap(() => ['CGST', 'SGST/UTGST', 'IGST']),
      GSTRATE: ['0', '0', '0', '2.5', '2.5', '5', '2.5', '2.5', '5'],
    });
  });

  it.each([
    ['taxable', 'Nil Rated'],
    ['nil_rated', 'Nil Rated'],
    ['non_gst', 'Non-GST'],
  ] as const)('without tax has for %s goods the kind %s', (treatment, kind) => {
    const tags = tagsOf(document({ rates: [sold(0, '20.00', { treatment })] }));
    expect(tags.GSTOVRDNTAXABILITY).toEqual([kind]);
  });

  it('of a commercial note has no goods, and stands in no return', () => {
    const tags = tagsOf(document({ kind: 'credit_note', isWithoutTax: true }));
    expect(tags).not.toHaveProperty('GSTHSNNAME');
    expect(tags).toMatchObject({ VCHGSTSTATUSISINCLUDED: ['No'] });
  });

  it.each([
    ['sez', 'Regular - SEZ'],
    ['uin', 'Embassy/UN Body'],
    ['government', 'Government entity / TDS'],
  ] as const)('has the registration of a client of the category %s, as its ledger', (category, type) => {
    const voucher = document({ party: { ...INVOICE.party, gst_category: category }, category });
    for (const message of [voucherMessage(voucher), ledgerMessage(voucher.entries[0]!.ledger)])
      expect(read(message)).toMatchObject({ GSTREGISTRATIONTYPE: [type], COUNTRYOFRESIDENCE: ['India'] });
  });

  it('has the names of the settings, and no group for a ledger that stands in Tally already', () => {
    const own = { sales: 'GST {rate}', cgst: 'Output CGST', bank: 'HDFC', exempt: 'Exempt' };
    const names = { ...STANDARD_NAMES, ...own };
    const received = { ...CLIENT, entry: '3', day: '2026-12-01', amount: '5.00', note: null };
    const ledgers = [
      voucherOfDocument(INVOICE, names),
      voucherOfMoney({ ...received, against: 'bank' }, names),
      // Tally has cash from the start.
      money('cash', '5.00'),
    ].flatMap(({ entries }) => entries.slice(1).map(({ ledger: { name, group } }) => [name, group]));
    expect(ledgers).toEqual([
      ['Exempt', undefined],
      ['GST 5', undefined],
      ['GST 18', undefined],
      ['Output CGST', undefined],
      ['SGST', 'Duties & Taxes'],
      ['HDFC', undefined],
      ['Cash', undefined],
    ]);
  });

  it('stands in one file, its ledgers in another one', async () => {
    const ledgers = document({ gstin: '32AAPFU0939F1ZR' }).entries.map(({ ledger }) => ledgerMessage(ledger));
    expect(read(await text(tallyFile('All Masters', ledgers)))).toMatchObject({
      REPORTNAME: ['All Masters'],
      PARENT: [
        'Sundry Debtors',
        ...Array<string>(3).fill('Sales Accounts'),
        ...Array<string>(2).fill('Duties & Taxes'),
      ],
      LEDSTATENAME: ['Kerala'],
      GSTREGISTRATIONTYPE: ['Regular'],
      PARTYGSTIN: ['32AAPFU0939F1ZR'],
      TAXTYPE: ['GST', 'GST'],
      GSTDUTYHEAD: ['CGST', 'SGST/UTGST'],
    });
  });
});
