import type { RegistrableDocument } from './e-invoice.js';
import { eWayBillOf, needsEWayBill, readTransport, type Transport, TRANSPORT_FIELDS } from './e-way-bill.js';

const FACTS: RegistrableDocument['facts'] = {
  seller: {
    name: 'Wholesale "House"',
    gstin: '27AAPFU0939F1ZV',
    address: '1 Market Road, Mumbai 400001',
    state: '27',
  },
  client: {
    name: 'Asha Traders',
    gstin: '29AAGCB7383J1Z4',
    address: '12 MG Road, Bengaluru 560001',
    state: '29',
  },
  deliver_to: {
    name: 'Ravi',
    address: '7 Lake View',
    city: 'Kochi',
    state: 'Kerala',
    state_code: '32',
    pincode: '682001',
  },
  against: null,
};
const PAN = {
  description: 'Pan',
  hsn: '732393',
  unit: 'PCS',
  quantity: 60,
  gstRate: '12.00',
  taxable: '53571.43',
  cgst: '0.00',
  sgst: '0.00',
  igst: '6428.57',
  gross: '60000.00',
};
const INVOICE: RegistrableDocument = {
  number: 'INV-2627-0000001',
  kind: 'invoice',
  issuedOn: '2026-11-06',
  placeOfSupply: '29',
  facts: FACTS,
  items: [PAN, { ...PAN, description: 'Delivery', unit: '', quantity: 1 }],
  taxable: '107142.86',
  cgst: '1.00',
  sgst: '2.00',
  igst: '12857.14',
  gross: '120000.00',
};
const TRANSPORT: Transport = {
  mode: 'road',
  distance_km: '980',
  vehicle_number: 'KA01AB1234',
  vehicle_type: 'over_dimensional',
  transporter_id: '29AAGCB7383J1Z4',
  transporter_name: 'VRL',
  transport_document: 'LR/12',
  transport_document_on: '2026-11-05',
};

const made = (document: Partial<RegistrableDocument> = {}, transport = TRANSPORT) =>
  eWayBillOf({ ...INVOICE, ...document }, transport) as { json: Record<string, unknown>; fault: string };
const withFacts = (facts: Partial<RegistrableDocument['facts']>) => made({ facts: { ...FACTS, ...facts } });

describe('An e-way bill', () => {
  it('has the fields of the bulk tool', () => {
    expect(made()).toEqual({
      json: {
        userGstin: '27AAPFU0939F1ZV',
        supplyType: 'O',
        subSupplyType: 1,
        subSupplyDesc: '',
        docType: 'INV',
        docNo: 'INV-2627-0000001',
        docDate: '06/11/2026',
        transType: 2,
        fromGstin: '27AAPFU0939F1ZV',
        fromTrdName: "Wholesale 'House'",
        fromAddr1: '1 Market Road',
        fromAddr2: '',
        fromPlace: 'Mumbai',
        fromPincode: 400001,
        fromStateCode: 27,
        actualFromStateCode: 27,
        toGstin: '29AAGCB7383J1Z4',
        toTrdName: 'Asha Traders',
        toAddr1: '7 Lake View',
        toAddr2: '',
        toPlace: 'Kochi',
        toPincode: 682001,
        toStateCode: 29,
        actualToStateCode: 32,
        totalValue: 107142.86,
        cgstValue: 1,
        sgstValue: 2,
        igstValue: 12857.14,
        cessValue: 0,
        TotNonAdvolVal: 0,
        OthValue: 0,
        totInvValue: 120000,
        transporterId: '29AAGCB7383J1Z4',
        transporterName: 'VRL',
        transDocNo: 'LR/12',
        transDocDate: '05/11/2026',
        transMode: 1,
        transDistance: 980,
        vehicleNo: 'KA01AB1234',
        vehicleType: 'O',
        mainHsnCode: 732393,
        itemList: [
          {
            itemNo: 1,
            productName: '',
            productDesc: 'Pan',
            hsnCode: 732393,
            quantity: 60,
            qtyUnit: 'PCS',
            taxableAmount: 53571.43,
            sgstRate: 0,
            cgstRate: 0,
            igstRate: 12,
            cessRate: 0,
            cessNonAdvol: 0,
          },
          expect.objectContaining({ itemNo: 2, productDesc: 'Delivery', qtyUnit: 'OTH' }),
        ],
      },
    });
  });

  it('has half the rate twice within the state, and the main code of its goods', () => {
    const items = [{ ...PAN, hsn: '998713', unit: '' }, PAN];
    const { json } = made({ placeOfSupply: '27', items });
    expect(json).toMatchObject({
      mainHsnCode: 732393,
      itemList: [{ sgstRate: 6, cgstRate: 6, igstRate: 0, qtyUnit: 'NA' }, { qtyUnit: 'PCS' }],
    });
    expect(made({ items: [items[0]!] }).json.mainHsnCode).toBe(998713);
  });

  it('is regular if the goods go to the billing address, or to a client without a GSTIN', () => {
    const home = {
      name: 'Asha Traders',
      address: '12 MG Road',
      city: 'Bengaluru',
      state: 'Karnataka',
      pincode: '560001',
    };
    expect(withFacts({ deliver_to: home }).json).toMatchObject({ transType: 1, actualToStateCode: 29 });
    const uncertain = withFacts({ deliver_to: home, client: { ...FACTS.client, address: 'Bengaluru' } });
    expect(uncertain.json).toMatchObject({ transType: 2, toPincode: 560001 });
    const unregistered = withFacts({ client: { ...FACTS.client, gstin: null } });
    expect(unregistered.json).toMatchObject({ transType: 1, toGstin: 'URP' });
  });

  it('is for a bill of supply if no goods are taxed', () => {
    expect(made({ items: [{ ...PAN, gstRate: '0.00' }] }).json.docType).toBe('BIL');
    expect(made({ items: [{ ...PAN, gstRate: '0.00' }, PAN] }).json.docType).toBe('INV');
  });

  it('splits long lines, and cuts long names', () => {
    const { json } = withFacts({
      seller: {
        ...FACTS.seller,
        name: 'H'.repeat(120),
        address: `${'1 Market Road '.repeat(9)}, Mumbai 400001`,
      },
      client: { ...FACTS.client, name: 'A'.repeat(120) },
    });
    expect([json.fromTrdName, json.toTrdName]).toEqual(['H'.repeat(100), 'A'.repeat(100)]);
    expect([json.fromAddr1, json.fromAddr2].join(' ')).toBe('1 Market Road '.repeat(9).trim());
    const { json: named } = made(
      { items: [{ ...PAN, description: 'P'.repeat(120) }] },
      { ...TRANSPORT, transporter_name: 'V'.repeat(120) },
    );
    expect(named).toMatchObject({
      transporterName: 'V'.repeat(100),
      itemList: [{ productDesc: 'P'.repeat(100) }],
    });
  });

  it('leaves out a description in another script, but needs Latin names', () => {
    const { json } = made({ items: [{ ...PAN, description: 'तवा' }] });
    expect(json).toMatchObject({ itemList: [{ productDesc: '' }] });
    const { fault } = withFacts({ deliver_to: { ...FACTS.deliver_to!, name: 'रवि' } });
    expect(fault).toMatch(/^For e-way bills the name of the recipient must be in Latin letters/);
  });

  it('needs a vehicle, a transport document or a transporter', () => {
    const partB = (transport: Transport) => {
      const { json, fault } = made({}, transport);
      return (
        fault ?? [
          json.transMode,
          json.vehicleNo,
          json.vehicleType,
          json.transDocNo,
          json.transDocDate,
          json.transDistance,
          json.transporterName,
        ]
      );
    };
    const road = 'It needs a vehicle number, or the GSTIN of the transporter. Packers can record them.';
    const other =
      'It needs the transport document, or the GSTIN of the transporter. Packers can record them.';
    expect(partB({})).toBe(road);
    expect(partB({ mode: 'road', transport_document: 'LR1' })).toBe(road);
    expect(partB({ mode: 'rail', vehicle_number: 'KA01AB1234' })).toBe(other);
    expect(partB({ vehicle_number: 'KA01AB1234' })).toEqual([1, 'KA01AB1234', 'R', '', '', 0, '']);
    expect(partB({ mode: 'rail', transport_document: 'RR1' })).toEqual([2, '', '', 'RR1', '', 0, '']);
    expect(partB({ mode: 'ship', transporter_id: '29AAGCB7383J1Z4' })).toEqual(['', '', '', '', '', 0, '']);
    expect(made({}, { vehicle_number: 'KA01AB1234' }).json.transporterId).toBe('');
  });

  it('is left out if an address leaves doubt, or it has too many lines', () => {
    const seller = withFacts({ seller: { ...FACTS.seller, address: 'Mumbai' } });
    expect(seller.fault).toMatch(/^For e-way bills the address of the seller must end with its place/);
    const astray = withFacts({ deliver_to: { ...FACTS.deliver_to!, pincode: '400001' } });
    expect(astray.fault).toMatch(/^For e-way bills the delivery needs a city, and a PIN code of its state/);
    expect(made({ items: Array.from({ length: 251 }, () => PAN) }).fault).toBe(
      'An e-way bill has at most 250 lines. Enter this one by hand.',
    );
    expect(made({ items: Array.from({ length: 250 }, () => PAN) }).fault).toBeUndefined();
  });

  it('is due above the value of the taxed goods', () => {
    const goods = (gross: number, rate = 1200, hsn = '732393') => ({ gross, rate, hsn });
    expect(needsEWayBill([goods(30_000_00), goods(20_000_00)], 50_000_00)).toBe(false);
    expect(needsEWayBill([goods(30_000_00), goods(20_000_01)], 50_000_00)).toBe(true);
    expect(needsEWayBill([goods(50_000_00), goods(1, 0)], 50_000_00)).toBe(false);
    expect(needsEWayBill([goods(50_000_00), goods(1, 1800, '998713')], 50_000_00)).toBe(false);
    expect(needsEWayBill([goods(50_000_00)], 0)).toBe(false);
  });
});

describe('A field of transport', () => {
  const read = (field: keyof Transport, typed: string) => {
    const faults: string[] = [];
    const value = readTransport(field, typed, (column, fault) => faults.push(`${column} ${fault}`));
    return faults[0] ?? value;
  };

  it.each<[keyof Transport, string, string]>([
    ['mode', ' Rail ', 'rail'],
    ['distance_km', '4000', '4000'],
    ['vehicle_number', 'ka-01 ab 1234', 'KA01AB1234'],
    ['vehicle_number', 'TM12345', 'TM12345'],
    ['vehicle_type', 'Over dimensional', 'over_dimensional'],
    ['transporter_id', '29aagcb7383j1z4', '29AAGCB7383J1Z4'],
    ['transporter_name', 'VRL - Hubli', 'VRL - Hubli'],
    ['transporter_name', 'v'.repeat(100), 'v'.repeat(100)],
    ['transport_document', 'lr/12-3', 'LR/12-3'],
    ['transport_document_on', '05/11/2026', '2026-11-05'],
  ])('is read: %s %j', (field, typed, value) => expect(read(field, typed)).toBe(value));

  it.each<[keyof Transport, string, string]>([
    ['mode', 'boat', 'must be one of road, rail, air, ship'],
    ['mode', 'toString', 'must be one of road, rail, air, ship'],
    ['distance_km', '4001', 'must be a whole number of kilometres up to 4000'],
    ['distance_km', '1.5', 'must be a whole number of kilometres up to 4000'],
    ['distance_km', '12 km', 'must be a whole number of kilometres up to 4000'],
    ['distance_km', 'km12', 'must be a whole number of kilometres up to 4000'],
    ['vehicle_number', 'KA0112', 'must have 7 to 15 letters and digits, such as KA01AB1234'],
    ['vehicle_number', 'K'.repeat(16), 'must have 7 to 15 letters and digits, such as KA01AB1234'],
    ['vehicle_type', 'lorry', 'must be one of regular, over_dimensional'],
    ['transporter_id', '29AAGCB7383J1Z', 'must be a GSTIN or a TRANSIN of 15 characters'],
    ['transporter_id', 'X29AAGCB7383J1Z4', 'must be a GSTIN or a TRANSIN of 15 characters'],
    ['transporter_id', '29AAGCB7383J1Z4X', 'must be a GSTIN or a TRANSIN of 15 characters'],
    ['transporter_name', 'v'.repeat(101), 'must have at most 100 characters'],
    ['transport_document', 'LR 1', 'must have up to 15 letters, digits, slashes and hyphens'],
    ['transport_document', '1'.repeat(16), 'must have up to 15 letters, digits, slashes and hyphens'],
    ['transport_document_on', 'today', 'must be a day such as 2026-11-26'],
  ])('is refused: %s %j', (field, typed, fault) => expect(read(field, typed)).toBe(`${field} ${fault}`));

  it('may be empty', () => {
    for (const field of TRANSPORT_FIELDS) expect(read(field, ' ')).toBeUndefined();
    expect(TRANSPORT_FIELDS).toHaveLength(8);
  });
});
