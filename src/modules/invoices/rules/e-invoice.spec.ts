import { eInvoiceFault, eInvoiceOf, isAtBillingAddress, type RegistrableDocument } from './e-invoice.js';

type Item = RegistrableDocument['items'][number];

const SELLER = {
  name: 'Wholesale House',
  gstin: '27AAPFU0939F1ZV',
  address: '1 Market Road, Mumbai 400001',
  state: '27',
};
const CLIENT = {
  name: 'Asha Traders',
  gstin: '29AAGCB7383J1Z4',
  address: '12 MG Road, Bengaluru 560001',
  state: '29',
};
const DELIVERY = {
  name: 'Ravi',
  phone: '9876543210',
  address: '7 Lake View',
  city: 'Kochi',
  state: 'Kerala',
  state_code: '32',
  pincode: '682001',
  country: 'India',
};
const FACTS = { seller: SELLER, client: CLIENT, deliver_to: DELIVERY, against: null };

const MUG: Item = {
  description: 'Mug, "Red\\Blue"',
  hsn: '691200',
  unit: 'PCS',
  quantity: 3,
  gstRate: '18.00',
  taxable: '299.99',
  cgst: '0.00',
  sgst: '0.00',
  igst: '54.00',
  gross: '353.99',
};
const CARRIAGE: Item = {
  ...MUG,
  description: 'Delivery',
  unit: '',
  quantity: 1,
  taxable: '0.10',
  igst: '0.02',
  gross: '0.12',
};
const INVOICE: RegistrableDocument = {
  number: 'INV-2627-0000001',
  kind: 'invoice',
  issuedOn: '2026-11-06',
  placeOfSupply: '29',
  facts: FACTS,
  items: [MUG, CARRIAGE],
  taxable: '300.09',
  cgst: '0.00',
  sgst: '0.00',
  igst: '54.02',
  gross: '354.11',
};

const made = (document: Partial<RegistrableDocument> = {}) => eInvoiceOf({ ...INVOICE, ...document });
const withFacts = (facts: Partial<RegistrableDocument['facts']>) => made({ facts: { ...FACTS, ...facts } });

describe('An e-invoice', () => {
  it('tells a supply to a special economic zone, with tax', () => {
    const typeOf = (gst_category?: 'sez' | 'uin') =>
      (withFacts({ client: { ...CLIENT, gst_category } }) as { json: { TranDtls: object } }).json.TranDtls;
    expect(typeOf('sez')).toEqual({ TaxSch: 'GST', SupTyp: 'SEZWP', RegRev: 'N' });
    expect(typeOf('uin')).toEqual({ TaxSch: 'GST', SupTyp: 'B2B', RegRev: 'N' });
  });

  it('has the parts of the schema', () => {
    expect(made()).toEqual({
      json: {
        Version: '1.1',
        TranDtls: { TaxSch: 'GST', SupTyp: 'B2B', RegRev: 'N' },
        DocDtls: { Typ: 'INV', No: 'INV-2627-0000001', Dt: '06/11/2026' },
        SellerDtls: {
          Gstin: '27AAPFU0939F1ZV',
          LglNm: 'Wholesale House',
          Addr1: '1 Market Road',
          Loc: 'Mumbai',
          Pin: 400001,
          Stcd: '27',
        },
        BuyerDtls: {
          Gstin: '29AAGCB7383J1Z4',
          LglNm: 'Asha Traders',
          Addr1: '12 MG Road',
          Loc: 'Bengaluru',
          Pin: 560001,
          Stcd: '29',
          Pos: '29',
        },
        ShipDtls: { LglNm: 'Ravi', Addr1: '7 Lake View', Loc: 'Kochi', Pin: 682001, Stcd: '32' },
        ItemList: [
          {
            SlNo: '1',
            PrdDesc: "Mug, 'Red/Blue'",
            IsServc: 'N',
            HsnCd: '691200',
            Qty: 3,
            Unit: 'PCS',
            UnitPrice: 99.997,
            TotAmt: 299.99,
            AssAmt: 299.99,
            GstRt: 18,
            IgstAmt: 54,
            CgstAmt: 0,
            SgstAmt: 0,
            TotItemVal: 353.99,
          },
          {
            SlNo: '2',
            PrdDesc: 'Delivery',
            IsServc: 'N',
            HsnCd: '691200',
            Qty: 1,
            Unit: 'OTH',
            UnitPrice: 0.1,
            TotAmt: 0.1,
            AssAmt: 0.1,
            GstRt: 18,
            IgstAmt: 0.02,
            CgstAmt: 0,
            SgstAmt: 0,
            TotItemVal: 0.12,
          },
        ],
        ValDtls: { AssVal: 300.09, CgstVal: 0, SgstVal: 0, IgstVal: 54.02, TotInvVal: 354.11 },
      },
    });
  });

  it.each([
    ['credit_note', 'CRN'],
    ['debit_note', 'DBN'],
  ] as const)('of a %s has the type %s and names its invoice', (kind, Typ) => {
    const facts = { ...FACTS, against: { number: 'INV-2627-0000001', issued_on: '2026-11-06' } };
    expect(made({ kind, number: 'N-1', issuedOn: '2027-01-31', facts })).toMatchObject({
      json: {
        DocDtls: { Typ, No: 'N-1', Dt: '31/01/2027' },
        RefDtls: { PrecDocDtls: [{ InvNo: 'INV-2627-0000001', InvDt: '06/11/2026' }] },
      },
    });
  });

  it('within a state has CGST and SGST', () => {
    const parts = { igst: '0.00', cgst: '27.00', sgst: '27.01' };
    expect(made({ ...parts, items: [{ ...MUG, ...parts }] })).toMatchObject({
      json: {
        ItemList: [{ IgstAmt: 0, CgstAmt: 27, SgstAmt: 27.01 }],
        ValDtls: { IgstVal: 0, CgstVal: 27, SgstVal: 27.01 },
      },
    });
  });

  it.each([
    [99_999, '4166.67', { UnitPrice: 0.042, TotAmt: 4_199.96, Discount: 33.29 }],
    [3, '299.99', { UnitPrice: 99.997, TotAmt: 299.99 }],
    // A rupee is within the tolerance, a paisa more is not.
    [4_001, '4002.00', { UnitPrice: 1, TotAmt: 4_002 }],
    [4_001, '4002.01', { UnitPrice: 1.001, TotAmt: 4_005, Discount: 2.99 }],
    [2_001, '1.00', { UnitPrice: 0.001, TotAmt: 2, Discount: 1 }],
  ])('has a price for %s units of %s together', (quantity, taxable, price) => {
    const { json } = made({ items: [{ ...MUG, quantity, taxable }] }) as {
      json: { ItemList: Record<string, number>[] };
    };
    const { UnitPrice, TotAmt, Discount = 0, AssAmt, Qty } = json.ItemList[0]!;
    expect({ UnitPrice, TotAmt, ...(Discount > 0 && { Discount }) }).toEqual(price);
    expect(Math.abs(Qty! * UnitPrice! - TotAmt!)).toBeLessThanOrEqual(1);
    expect(TotAmt! - Discount).toBeCloseTo(AssAmt!, 9);
  });

  it('tells a service, which has no unit', () => {
    const { json } = made({ items: [{ ...MUG, hsn: '996812' }] }) as { json: { ItemList: object[] } };
    expect(json.ItemList[0]).toMatchObject({
      IsServc: 'Y',
      HsnCd: '996812',
      UnitPrice: 299.99,
      TotAmt: 299.99,
    });
    expect(json.ItemList[0]).not.toHaveProperty('Unit');
  });

  it('has no quantity for a price reduction', () => {
    expect(made({ items: [{ ...MUG, quantity: 0 }] })).toMatchObject({
      json: { ItemList: [{ Qty: 0, UnitPrice: 299.99, TotAmt: 299.99 }] },
    });
  });

  it.each([
    ['Om', 'Om.'],
    ['x'.repeat(101), 'x'.repeat(100)],
    ['é'.repeat(101), 'e'.repeat(100)],
    ['“Zoë” ₹', "'Zoe' Rs."],
  ])('fits the name %s', (name, LglNm) => {
    expect(withFacts({ deliver_to: { ...DELIVERY, name, city: 'Ib' } })).toMatchObject({
      json: { ShipDtls: { LglNm, Loc: 'Ib.' } },
    });
  });

  it.each([
    ['OK', 'OK.'],
    ['x'.repeat(301), 'x'.repeat(300)],
    ['Mug – “Zoë”', "Mug - 'Zoe'"],
    ['मग', undefined],
  ])('fits the description %s', (description, PrdDesc) => {
    const { json } = made({ items: [{ ...MUG, description }] }) as {
      json: { ItemList: { PrdDesc?: string }[] };
    };
    expect(json.ItemList[0]!.PrdDesc).toBe(PrdDesc);
    expect('PrdDesc' in json.ItemList[0]!).toBe(PrdDesc !== undefined);
  });

  it.each([
    ['x'.repeat(100), 'x'.repeat(100), undefined],
    [`${'x'.repeat(60)} ${'y'.repeat(60)}`, 'x'.repeat(60), 'y'.repeat(60)],
    [`${'x'.repeat(97)} abc`, 'x'.repeat(97), 'abc'],
    [`${'x'.repeat(95)} yy ab`, 'x'.repeat(95), 'yy ab'],
    ['x'.repeat(101), 'x', 'x'.repeat(100)],
    ['x'.repeat(200), 'x'.repeat(100), 'x'.repeat(100)],
    ['ß'.repeat(101), 's'.repeat(100), 's'.repeat(100)],
    [`7 "A" \\ ${'x'.repeat(80)} ${'y'.repeat(20)}`, `7 'A' / ${'x'.repeat(80)}`, 'y'.repeat(20)],
  ])('breaks the line %s', (address, Addr1, Addr2) => {
    const { json } = withFacts({ deliver_to: { ...DELIVERY, address } }) as { json: { ShipDtls: object } };
    expect(json.ShipDtls).toEqual({
      LglNm: 'Ravi',
      Addr1,
      ...(Addr2 !== undefined && { Addr2 }),
      Loc: 'Kochi',
      Pin: 682001,
      Stcd: '32',
    });
  });

  describe('of goods that go to the client', () => {
    const home = { ...DELIVERY, name: 'Asha Traders', address: '12 mg road', city: 'Bangalore' };
    const there = { ...home, state: 'Karnataka', state_code: '29', pincode: '560001' };
    const shipOf = (deliver_to: typeof DELIVERY | null) =>
      (withFacts({ deliver_to }) as { json: { ShipDtls?: object } }).json;

    it('names no other place', () => {
      expect(shipOf(there)).not.toHaveProperty('ShipDtls');
      expect(shipOf(null)).not.toHaveProperty('ShipDtls');
    });

    it.each([{ name: 'Ravi' }, { address: '13 MG Road' }, { pincode: '560002' }])('but %j differs', (other) =>
      expect(shipOf({ ...there, ...other })).toHaveProperty('ShipDtls'),
    );

    it('is not certain if the billing address has a fault', () => {
      expect(isAtBillingAddress(there, CLIENT)).toBe(true);
      expect(isAtBillingAddress(there, { ...CLIENT, address: 'Bengaluru' })).toBe(false);
    });
  });

  it('reads the state of an older delivery', () => {
    const { state_code: _, ...older } = DELIVERY;
    expect(withFacts({ deliver_to: older })).toMatchObject({ json: { ShipDtls: { Stcd: '32' } } });
    expect(withFacts({ deliver_to: { ...older, state: 'Atlantis' } })).toEqual({
      fault: expect.stringContaining('the delivery needs a city'),
    });
  });

  const ending =
    'must end with its place and a PIN code of its state, such as “12 MG Road, Bengaluru 560001”.';
  it.each([
    [
      'the seller',
      { seller: { ...SELLER, address: 'Mumbai' } },
      `For e-invoices the address of the seller ${ending} Admins can change it under Settings.`,
    ],
    [
      'the client',
      { client: { ...CLIENT, address: '12 MG Road, Bengaluru 400001' } },
      `For e-invoices the billing address of Asha Traders ${ending} Staff can change it on the page of the ` +
        'client, and its owner under Plan.',
    ],
    [
      'the delivery',
      { deliver_to: { ...DELIVERY, pincode: '400001' } },
      'For e-invoices the delivery needs a city, and a PIN code of its state. Staff can change the ' +
        'delivery on the page of the order.',
    ],
  ])('is not possible without the address of %s', (_, facts, fault) => {
    expect(withFacts(facts)).toEqual({ fault });
    expect(eInvoiceFault({ ...FACTS, ...facts }, [])).toBe(fault);
  });

  const admins = 'Admins can change it under Settings.';
  const order = 'Staff can change the delivery on the page of the order.';
  it.each([
    ['the name of the seller', 'थोक', { seller: { ...SELLER, name: 'थोक' } }, admins],
    [
      'the address of the seller',
      'बाज़ार, Mumbai 400001',
      { seller: { ...SELLER, address: 'बाज़ार, Mumbai 400001' } },
      admins,
    ],
    [
      'the name of the client',
      'आशा',
      { client: { ...CLIENT, name: 'आशा' } },
      'Staff can change it on the page of the client.',
    ],
    [
      'the billing address of Asha Traders',
      '12 MG Road, ಬೆಂಗಳೂರು 560001',
      { client: { ...CLIENT, address: '12 MG Road, ಬೆಂಗಳೂರು 560001' } },
      'Staff can change it on the page of the client, and its owner under Plan.',
    ],
    ['the name of the recipient', 'रवि', { deliver_to: { ...DELIVERY, name: 'रवि' } }, order],
    ['the address of the delivery', '७', { deliver_to: { ...DELIVERY, address: '७' } }, order],
    ['the city of the delivery', 'കൊച്ചി', { deliver_to: { ...DELIVERY, city: 'കൊച്ചി' } }, order],
  ])('is not possible with %s in another script', (what, text, facts, remedy) => {
    const fault = `For e-invoices ${what} must be in Latin letters, but it is “${text}”. ${remedy}`;
    expect(withFacts(facts)).toEqual({ fault });
  });

  it('is not possible with a short HSN code, thousands of lines, or a negative value', () => {
    expect(made({ items: [MUG, { ...MUG, hsn: '6912' }] })).toEqual({
      fault:
        'For e-invoices an HSN code needs 6 digits, but one is 6912. Staff can change it on the page of ' +
        'the product.',
    });
    expect(eInvoiceFault(FACTS, ['691200', '69120010'])).toBeUndefined();
    expect(eInvoiceFault({ ...FACTS, deliver_to: null }, [])).toBeUndefined();
    expect(made({ items: Array.from({ length: 1_001 }, () => MUG) })).toEqual({
      fault: 'An e-invoice has at most 1000 lines.',
    });
    expect(made({ items: Array.from({ length: 1_000 }, () => MUG) })).toHaveProperty('json');
    expect(made({ items: [MUG, { ...MUG, taxable: '-0.01' }] })).toEqual({
      fault: 'An e-invoice has no taxable value below 0. Register this note by hand.',
    });
    expect(made({ items: [{ ...MUG, taxable: '0.00' }] })).toHaveProperty('json');
  });
});
