import type { GstTreatment } from '../../tax/goods-law.js';
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
const TAXED = 'taxable' as const;

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
  rates: [
    { rate: 0, treatment: TAXED, hsn: '6912', taxable: '20.00' },
    { rate: 5, treatment: TAXED, hsn: '6912', taxable: '18.00' },
    { rate: 18, treatment: TAXED, hsn: '6912', taxable: '100.05' },
  ],
};
const MONEY: MoneyRow = {
  ...CLIENT,
  entry: '3',
  day: '2026-12-01',
  against: 'bank',
  amount: '500.00',
  note: 'U1',
};

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

const entriesOf = (voucher: Voucher) => {
  const { LEDGERNAME: names, AMOUNT: amounts, ISDEEMEDPOSITIVE: debits } = read(voucherMessage(voucher));
  return names!.map((name, at) => `${debits![at] === 'Yes' ? 'Dr' : 'Cr'} ${name} ${amounts![at]}`);
};

const PARTY = 'Anaya & "Sons" <> (7)';

describe('A voucher for Tally', () => {
  it.each<[string, Voucher, string[]]>([
    [
      'Sales',
      voucherOfDocument(INVOICE),
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
      voucherOfDocument({
        ...INVOICE,
        kind: 'credit_note',
        against: 'INV-2627-0000001',
        againstDay: '2026-11-30',
        cgst: '0.00',
        sgst: '0.00',
        igst: '0.90',
        rates: [{ rate: 0.25, treatment: TAXED, hsn: '6912', taxable: '18.00' }],
      }),
      [`Cr ${PARTY} 18.90`, 'Dr Sales 0.25% -18.00', 'Dr IGST -0.90'],
    ],
    [
      'Credit Note',
      voucherOfDocument({
        ...INVOICE,
        kind: 'credit_note',
        isWithoutTax: true,
        cgst: '0.00',
        sgst: '0.00',
        rates: [{ rate: 0, treatment: TAXED, hsn: '6912', taxable: '18.90' }],
      }),
      [`Cr ${PARTY} 18.90`, 'Dr Credits without tax -18.90'],
    ],
    [
      'Debit Note',
      voucherOfDocument({
        ...INVOICE,
        kind: 'debit_note',
        against: 'INV-2627-0000001',
        againstDay: '2026-11-30',
        cgst: '0.00',
        sgst: '0.00',
        igst: '0.90',
        rates: [{ rate: 0.25, treatment: TAXED, hsn: '6912', taxable: '18.00' }],
      }),
      [`Dr ${PARTY} -18.90`, 'Cr Sales 0.25% 18.00', 'Cr IGST 0.90'],
    ],
    ['Receipt', voucherOfMoney(MONEY), [`Cr ${PARTY} 500.00`, 'Dr Bank -500.00']],
    ['Receipt', voucherOfMoney({ ...MONEY, against: 'cash' }), [`Cr ${PARTY} 500.00`, 'Dr Cash -500.00']],
    [
      'Payment',
      voucherOfMoney({ ...MONEY, against: 'in_transit', amount: '-0.01' }),
      [`Dr ${PARTY} -0.01`, 'Cr Payment gateway 0.01'],
    ],
    ['Payment', voucherOfMoney({ ...MONEY, amount: '-7.00' }), [`Dr ${PARTY} -7.00`, 'Cr Bank 7.00']],
    [
      'Journal',
      voucherOfMoney({ ...MONEY, against: 'tds', amount: '5.00' }),
      [`Cr ${PARTY} 5.00`, 'Dr TDS receivable -5.00'],
    ],
    [
      'Journal',
      voucherOfMoney({ ...MONEY, against: 'adjustments', amount: '-5.00', note: null }),
      [`Dr ${PARTY} -5.00`, 'Cr Wallet corrections 5.00'],
    ],
  ])('%s adds up to zero, the client first', (type, voucher, entries) => {
    expect(voucher.type).toBe(type);
    expect(entriesOf(voucher)).toEqual(entries);
    expect(voucher.entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  });

  it('has its number, day and ledger; a document also its own party and the place of supply', () => {
    const voucher = voucherOfDocument({ ...INVOICE, gstin: '32AAPFU0939F1ZR' });
    expect(read(voucherMessage(voucher))).toMatchObject({
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
    expect(read(voucherMessage(voucher))).not.toHaveProperty('REFERENCE');
    expect(read(ledgerMessage(voucher.entries[0]!.ledger))).toMatchObject({
      PARTYGSTIN: ['32AAPFU0939F1ZR'],
    });
    const { NARRATION } = read(
      voucherMessage(
        voucherOfDocument({
          ...INVOICE,
          against: 'INV-1',
          againstDay: '2026-10-01',
          suppliedOn: '2026-10-31',
        }),
      ),
    );
    expect(NARRATION).toEqual(['Order WO-1, INV-1, goods left on 2026-10-31']);
    const unregistered = { ...INVOICE, party: { ...INVOICE.party, gstin: null } };
    const tags = read(voucherMessage(voucherOfDocument(unregistered)));
    expect(tags.GSTREGISTRATIONTYPE).toEqual(['Unregistered']);
    expect(tags).not.toHaveProperty('PARTYGSTIN');
    expect(read(voucherMessage(voucherOfMoney(MONEY)))).not.toHaveProperty('PLACEOFSUPPLY');
  });

  it('names the invoice of a note, with its day', () => {
    const note = voucherOfDocument({
      ...INVOICE,
      kind: 'credit_note',
      against: 'INV-1',
      againstDay: '2026-10-01',
    });
    expect(read(voucherMessage(note))).toMatchObject({ REFERENCE: ['INV-1'], REFERENCEDATE: ['20261001'] });
  });

  it('has the HSN code, the kind and the rates of each line of goods, but none for a commercial note', () => {
    const rates = [
      { rate: 0, treatment: 'exempt' as const, hsn: '0401', taxable: '20.00' },
      { rate: 5, treatment: TAXED, hsn: '6912', taxable: '18.00' },
      { rate: 5, treatment: TAXED, hsn: '996511', taxable: '2.00' },
    ];
    const row = { ...INVOICE, rates };
    expect(read(voucherMessage(voucherOfDocument(row)))).toMatchObject({
      LEDGERNAME: [PARTY, 'Sales exempt', 'Sales 5%', 'Sales 5%', 'CGST', 'SGST'],
      GSTHSNNAME: ['0401', '6912', '996511'],
      GSTOVRDNTAXABILITY: ['Exempt', 'Taxable', 'Taxable'],
      GSTOVRDNTYPEOFSUPPLY: ['Goods', 'Goods', 'Services'],
      GSTRATEDUTYHEAD: [
        'CGST',
        'SGST/UTGST',
        'IGST',
        'CGST',
        'SGST/UTGST',
        'IGST',
        'CGST',
        'SGST/UTGST',
        'IGST',
      ],
      GSTRATE: ['0', '0', '0', '2.5', '2.5', '5', '2.5', '2.5', '5'],
    });
    const tagsAt = (treatment: GstTreatment) =>
      read(voucherMessage(voucherOfDocument({ ...row, rates: [{ ...rates[0]!, treatment }] })));
    expect(tagsAt('taxable')).toMatchObject({ GSTOVRDNTAXABILITY: ['Nil Rated'] });
    expect(tagsAt('nil_rated')).toMatchObject({ GSTOVRDNTAXABILITY: ['Nil Rated'] });
    expect(tagsAt('non_gst')).toMatchObject({ GSTOVRDNTAXABILITY: ['Non-GST'] });
    const note = read(voucherMessage(voucherOfDocument({ ...row, kind: 'credit_note', isWithoutTax: true })));
    expect(note).not.toHaveProperty('GSTHSNNAME');
    expect(note).toMatchObject({ VCHGSTSTATUSISINCLUDED: ['No'] });
  });

  it.each([
    ['sez', 'Regular - SEZ'],
    ['uin', 'Embassy/UN Body'],
    ['government', 'Government entity / TDS'],
  ] as const)('has the registration of a client of the category %s, as its ledger', (category, type) => {
    const party = { ...INVOICE.party, gst_category: category };
    const voucher = voucherOfDocument({ ...INVOICE, party, category });
    for (const message of [voucherMessage(voucher), ledgerMessage(voucher.entries[0]!.ledger)])
      expect(read(message)).toMatchObject({ GSTREGISTRATIONTYPE: [type], COUNTRYOFRESIDENCE: ['India'] });
  });

  it('has the names of the settings, and no group for a ledger that stands in Tally already', () => {
    const names = {
      ...STANDARD_NAMES,
      sales: 'GST {rate}',
      cgst: 'Output CGST',
      bank: 'HDFC',
      exempt: 'Exempt',
    };
    const ledgers = (voucher: Voucher) =>
      voucher.entries.slice(1).map(({ ledger: { name, group } }) => [name, group]);
    expect(ledgers(voucherOfDocument(INVOICE, names))).toEqual([
      ['Exempt', undefined],
      ['GST 5', undefined],
      ['GST 18', undefined],
      ['Output CGST', undefined],
      ['SGST', 'Duties & Taxes'],
    ]);
    expect(ledgers(voucherOfMoney(MONEY, names))).toEqual([['HDFC', undefined]]);
    // Tally has cash from the start.
    expect(ledgers(voucherOfMoney({ ...MONEY, against: 'cash' }))).toEqual([['Cash', undefined]]);
  });

  it('stands in one file, its ledgers in another one', async () => {
    const { entries } = voucherOfDocument(INVOICE);
    const ledgers = entries.map(({ ledger }) => ledgerMessage(ledger));
    const file = await text(tallyFile('All Masters', ledgers));
    expect(read(file)).toMatchObject({
      REPORTNAME: ['All Masters'],
      PARENT: [
        'Sundry Debtors',
        ...Array<string>(3).fill('Sales Accounts'),
        ...Array<string>(2).fill('Duties & Taxes'),
      ],
      LEDSTATENAME: ['Kerala'],
      GSTREGISTRATIONTYPE: ['Unregistered'],
      TAXTYPE: ['GST', 'GST'],
      GSTDUTYHEAD: ['CGST', 'SGST/UTGST'],
    });
  });
});
