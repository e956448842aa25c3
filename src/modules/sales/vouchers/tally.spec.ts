import { text } from 'node:stream/consumers';
import sax from 'sax';
import { ledgerMessage, tallyFile, voucherMessage } from './tally.js';
import {
  type DocumentRow,
  type MoneyRow,
  type Voucher,
  voucherOfDocument,
  voucherOfMoney,
} from './voucher.js';

const CLIENT = { clientId: 7, client: 'Anaya & "Sons" <\u0001>', gstin: null, state: '32' };
const INVOICE: DocumentRow = {
  ...CLIENT,
  kind: 'invoice',
  number: 'INV-2627-0000001',
  day: '2026-11-30',
  orderNumber: 'WO-1',
  against: null,
  isWithoutTax: false,
  placeOfSupply: '32',
  suppliedOn: null,
  party: { name: 'Anaya Old', gstin: '29AAPFU0939F1ZR', state: '29' },
  cgst: '9.45',
  sgst: '9.45',
  igst: '0.00',
  rates: [
    { rate: 0, taxable: '20.00' },
    { rate: 5, taxable: '18.00' },
    { rate: 18, taxable: '100.05' },
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
        cgst: '0.00',
        sgst: '0.00',
        igst: '0.90',
        rates: [{ rate: 0.25, taxable: '18.00' }],
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
        rates: [{ rate: 0, taxable: '18.90' }],
      }),
      [`Cr ${PARTY} 18.90`, 'Dr Credits without tax -18.90'],
    ],
    [
      'Debit Note',
      voucherOfDocument({
        ...INVOICE,
        kind: 'debit_note',
        against: 'INV-2627-0000001',
        cgst: '0.00',
        sgst: '0.00',
        igst: '0.90',
        rates: [{ rate: 0.25, taxable: '18.00' }],
      }),
      [`Dr ${PARTY} -18.90`, 'Cr Sales 0.25% 18.00', 'Cr IGST 0.90'],
    ],
    ['Receipt', voucherOfMoney(MONEY), [`Cr ${PARTY} 500.00`, 'Dr Bank -500.00']],
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
    });
    expect(read(ledgerMessage(voucher.entries[0]!.ledger))).toMatchObject({
      PARTYGSTIN: ['32AAPFU0939F1ZR'],
    });
    const { NARRATION } = read(
      voucherMessage(voucherOfDocument({ ...INVOICE, against: 'INV-1', suppliedOn: '2026-10-31' })),
    );
    expect(NARRATION).toEqual(['Order WO-1, INV-1, goods left on 2026-10-31']);
    const unregistered = { ...INVOICE, party: { ...INVOICE.party, gstin: null } };
    const tags = read(voucherMessage(voucherOfDocument(unregistered)));
    expect(tags.GSTREGISTRATIONTYPE).toEqual(['Unregistered']);
    expect(tags).not.toHaveProperty('PARTYGSTIN');
    expect(read(voucherMessage(voucherOfMoney(MONEY)))).not.toHaveProperty('PLACEOFSUPPLY');
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
    });
  });
});
