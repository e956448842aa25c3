import { readFileSync } from 'node:fs';
import { type DocumentChanges, registrableDocument } from '../../../../test/support/registrable-document.js';
import { eInvoiceFault, eInvoiceOf, isAtBillingAddress } from './e-invoice.js';

interface EInvoice {
  TranDtls: object;
  ShipDtls?: object;
  ItemList: [Record<string, unknown>, ...Record<string, unknown>[]];
}

const eInvoice = (changes: DocumentChanges = {}) =>
  (eInvoiceOf(registrableDocument(changes)) as { json: EInvoice }).json;
const firstItem = (item: NonNullable<DocumentChanges['items']>[number]) =>
  eInvoice({ items: [item] }).ItemList[0];

describe('An e-invoice', () => {
  it('has the parts of the schema, as its golden file', () => {
    const golden = readFileSync(new URL('golden/e-invoice.json', import.meta.url), 'utf8');
    expect(eInvoice()).toEqual(JSON.parse(golden));
  });

  it.each([
    ['sez', 'SEZWP'],
    ['uin', 'B2B'],
  ] as const)('for a client of the category %s has the type of supply %s', (gst_category, SupTyp) => {
    expect(eInvoice({ client: { gst_category } }).TranDtls).toEqual({ TaxSch: 'GST', SupTyp, RegRev: 'N' });
  });

  it.each([
    ['credit_note', 'CRN'],
    ['debit_note', 'DBN'],
  ] as const)('of a %s has the type %s and names its invoice', (kind, Typ) => {
    const against = { number: 'INV-2627-0000001', issued_on: '2026-11-06' };
    expect(eInvoice({ kind, number: 'N-1', issuedOn: '2027-01-31', against })).toMatchObject({
      DocDtls: { Typ, No: 'N-1', Dt: '31/01/2027' },
      RefDtls: { PrecDocDtls: [{ InvNo: 'INV-2627-0000001', InvDt: '06/11/2026' }] },
    });
  });

  it.each([
    [99_999, '4166.67', { UnitPrice: 0.042, TotAmt: 4_199.96, Discount: 33.29 }],
    [3, '299.99', { UnitPrice: 99.997, TotAmt: 299.99 }],
    // A rupee is within the tolerance, a paisa more is not.
    [4_001, '4002.00', { UnitPrice: 1, TotAmt: 4_002 }],
    [4_001, '4002.01', { UnitPrice: 1.001, TotAmt: 4_005, Discount: 2.99 }],
    [2_001, '1.00', { UnitPrice: 0.001, TotAmt: 2, Discount: 1 }],
    // A price reduction has no quantity.
    [0, '299.99', { UnitPrice: 299.99, TotAmt: 299.99 }],
  ])('has a price for %s units of %s together', (quantity, taxable, price) => {
    const { UnitPrice, TotAmt, Discount, AssAmt, Qty } = firstItem({ quantity, taxable });
    expect({ UnitPrice, TotAmt, Discount }).toEqual(price);
    expect([Qty, AssAmt]).toEqual([quantity, Number(taxable)]);
  });

  it('has no unit for a service', () => {
    const service = firstItem({ hsn: '996812' });
    expect(service).toMatchObject({ IsServc: 'Y', HsnCd: '996812', UnitPrice: 299.99, TotAmt: 299.99 });
    expect(service).not.toHaveProperty('Unit');
  });

  it.each([
    ['Om', 'Om.'],
    ['é'.repeat(101), 'e'.repeat(100)],
  ])('fits the name %s', (name, LglNm) => {
    expect(eInvoice({ deliverTo: { name, city: 'Ib' } }).ShipDtls).toMatchObject({ LglNm, Loc: 'Ib.' });
  });

  it.each([
    ['OK', { PrdDesc: 'OK.' }],
    ['x'.repeat(301), { PrdDesc: 'x'.repeat(300) }],
    ['Mug – “Zoë”', { PrdDesc: "Mug - 'Zoe'" }],
    ['मग', {}],
  ])('fits the description %s', (description, fitting) => {
    const { PrdDesc: _, ...others } = firstItem({});
    expect(firstItem({ description })).toStrictEqual({ ...others, ...fitting });
  });

  it.each([
    ['x'.repeat(100), 'x'.repeat(100), undefined],
    [`${'x'.repeat(60)} ${'y'.repeat(60)}`, 'x'.repeat(60), 'y'.repeat(60)],
    [`${'x'.repeat(97)} abc`, 'x'.repeat(97), 'abc'],
    ['x'.repeat(101), 'x', 'x'.repeat(100)],
    ['x'.repeat(200), 'x'.repeat(100), 'x'.repeat(100)],
    [`7 "A" \\ ${'x'.repeat(80)} ${'y'.repeat(20)}`, `7 'A' / ${'x'.repeat(80)}`, 'y'.repeat(20)],
  ])('breaks the line %s', (address, Addr1, Addr2) => {
    const place = { LglNm: 'Ravi', Loc: 'Kochi', Pin: 682001, Stcd: '32' };
    expect(eInvoice({ deliverTo: { address } }).ShipDtls).toEqual({ ...place, Addr1, Addr2 });
  });

  const AT_CLIENT = {
    name: 'Asha Traders',
    address: '12 mg road',
    city: 'Bangalore',
    state: 'Karnataka',
    state_code: '29',
    pincode: '560001',
  };

  it.each([
    ['the client', false, AT_CLIENT],
    ['another person', true, { ...AT_CLIENT, name: 'Ravi' }],
    ['another line', true, { ...AT_CLIENT, address: '13 MG Road' }],
  ])('of goods that go to %s names the place of delivery: %s', (_, isNamed, deliverTo) => {
    expect('ShipDtls' in eInvoice({ deliverTo })).toBe(isNamed);
  });

  it.each([
    [true, {}],
    [false, { address: 'Bengaluru' }],
  ])('goes to the billing address: %s if that has %j', (isThere, changed) => {
    const { client, deliver_to: to } = registrableDocument({ deliverTo: AT_CLIENT, client: changed }).facts;
    expect(isAtBillingAddress(to!, client)).toBe(isThere);
  });

  it('reads the state of an older delivery', () => {
    const older = { state_code: undefined };
    expect(eInvoice({ deliverTo: older }).ShipDtls).toMatchObject({ Stcd: '32' });
    expect(eInvoiceOf(registrableDocument({ deliverTo: { ...older, state: 'Atlantis' } }))).toEqual({
      fault: expect.stringContaining('the delivery needs a city'),
    });
  });

  const ENDING =
    'must end with its place and a PIN code of its state, such as “12 MG Road, Bengaluru 560001”.';
  const latin = (text: string) => `must be in Latin letters, but it is “${text}”.`;
  const ADMINS = 'Admins can change it under Settings.';
  const STAFF = 'Staff can change it on the page of the client';
  const OWNER = `${STAFF}, and its owner under Plan.`;
  const ORDER = 'Staff can change the delivery on the page of the order.';

  it.each<[string, DocumentChanges]>([
    [`the address of the seller ${ENDING} ${ADMINS}`, { seller: { address: 'Mumbai' } }],
    [`the billing address of Asha Traders ${ENDING} ${OWNER}`, { client: { address: 'Bengaluru 400001' } }],
    [
      `the delivery needs a city, and a PIN code of its state. ${ORDER}`,
      { deliverTo: { pincode: '400001' } },
    ],
    [`the name of the seller ${latin('थोक')} ${ADMINS}`, { seller: { name: 'थोक' } }],
    [`the name of the client ${latin('आशा')} ${STAFF}.`, { client: { name: 'आशा' } }],
    [
      `the billing address of Asha Traders ${latin('12 ರಸ್ತೆ, Bengaluru 560001')} ${OWNER}`,
      { client: { address: '12 ರಸ್ತೆ, Bengaluru 560001' } },
    ],
    [`the address of the delivery ${latin('७')} ${ORDER}`, { deliverTo: { address: '७' } }],
    [`the city of the delivery ${latin('കൊച്ചി')} ${ORDER}`, { deliverTo: { city: 'കൊച്ചി' } }],
    [
      'an HSN code needs 6 digits, but one is 6912. Staff can change it on the page of the product.',
      { items: [{}, { hsn: '6912' }] },
    ],
  ])('is not possible: %s', (words, changes) => {
    const document = registrableDocument(changes);
    const hsns = document.items.map(({ hsn }) => hsn);
    const fault = `For e-invoices ${words}`;
    expect(eInvoiceOf(document)).toEqual({ fault });
    expect(eInvoiceFault(document.facts, hsns)).toBe(fault);
  });

  it.each<[string, number, DocumentChanges]>([
    ['An e-invoice has at most 1000 lines.', 1_001, {}],
    ['', 1_000, {}],
    ['An e-invoice has no taxable value below 0. Register this note by hand.', 2, { taxable: '-0.01' }],
    ['', 2, { taxable: '0.00' }],
  ])('is not possible: %j with %d lines, the last with %j', (fault, count, last) => {
    const items = [...Array.from({ length: count - 1 }, () => ({})), last];
    expect(eInvoiceOf(registrableDocument({ items }))).toMatchObject(fault ? { fault } : { json: {} });
  });
});
