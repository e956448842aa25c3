import { readFileSync } from 'node:fs';
import { type DocumentChanges, registrableDocument } from '../../../../test/support/registrable-document.js';
import {
  eWayBillLimit,
  eWayBillOf,
  NEEDS_E_WAY_BILL,
  readTransport,
  type Transport,
  TRANSPORT_FIELDS,
} from './e-way-bill.js';

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

const made = (changes: DocumentChanges = {}, transport = TRANSPORT) =>
  eWayBillOf(registrableDocument(changes), transport) as { json: Record<string, unknown>; fault?: string };

const itemsOf = (length: number) => Array.from({ length }, () => ({}));

describe('An e-way bill', () => {
  it('has the fields of the bulk tool, as its golden file', () => {
    const golden = readFileSync(new URL('golden/e-way-bill.json', import.meta.url), 'utf8');
    expect(made().json).toEqual(JSON.parse(golden));
  });

  const HOME = {
    name: 'Asha Traders',
    address: '12 MG Road',
    city: 'Bengaluru',
    state: 'Karnataka',
    state_code: undefined,
    pincode: '560001',
  };
  const [LONG, CUT] = ['A'.repeat(120), 'A'.repeat(100)];

  it.each<[string, DocumentChanges, object]>([
    [
      'within a state has half the rate twice',
      { placeOfSupply: '27', items: [{}] },
      { itemList: [{ sgstRate: 9, cgstRate: 9, igstRate: 0 }] },
    ],
    [
      'of goods and a service has the main code of its goods',
      { items: [{ hsn: '998713', unit: '' }, {}] },
      { mainHsnCode: 691200, itemList: [{ qtyUnit: 'NA' }, { qtyUnit: 'PCS' }] },
    ],
    ['to the billing address is regular', { deliverTo: HOME }, { transType: 1, actualToStateCode: 29 }],
    [
      'to a place that may be the billing address goes elsewhere',
      { deliverTo: HOME, client: { address: 'Bengaluru' } },
      { transType: 2, toPincode: 560001 },
    ],
    ['to a client without a GSTIN is regular', { client: { gstin: null } }, { transType: 1, toGstin: 'URP' }],
    ['without taxed goods is for a bill of supply', { items: [{ gstRate: '0.00' }] }, { docType: 'BIL' }],
    ['with some taxed goods is for an invoice', { items: [{ gstRate: '0.00' }, {}] }, { docType: 'INV' }],
    [
      'cuts long names',
      { seller: { name: LONG }, client: { name: LONG }, items: [{ description: LONG }] },
      { fromTrdName: CUT, toTrdName: CUT, itemList: [{ productDesc: CUT }] },
    ],
    ['leaves out another script', { items: [{ description: 'तवा' }] }, { itemList: [{ productDesc: '' }] }],
  ])('%s', (_, changes, parts) => {
    expect(made(changes).json).toMatchObject(parts);
  });

  const ROAD = 'It needs a vehicle number, or the GSTIN of the transporter. Packers can record them.';
  const OTHER = 'It needs the transport document, or the GSTIN of the transporter. Packers can record them.';

  it.each<[Transport, string]>([
    [{}, ROAD],
    [{ mode: 'road', transport_document: 'LR1' }, ROAD],
    [{ mode: 'rail', vehicle_number: 'KA01AB1234' }, OTHER],
  ])('is not possible for the transport %j', (transport, fault) => {
    expect(made({}, transport)).toEqual({ fault });
  });

  const NOTHING = {
    transporterId: '',
    transporterName: '',
    transDocNo: '',
    transDocDate: '',
    transMode: '',
    transDistance: 0,
    vehicleNo: '',
    vehicleType: '',
  };

  it.each<[Transport, Record<string, unknown>]>([
    [{ vehicle_number: 'KA01AB1234' }, { transMode: 1, vehicleNo: 'KA01AB1234', vehicleType: 'R' }],
    [
      { mode: 'rail', transport_document: 'RR1' },
      { transMode: 2, transDocNo: 'RR1' },
    ],
    [
      { mode: 'ship', transporter_id: TRANSPORT.transporter_id, transporter_name: 'V'.repeat(120) },
      { transporterId: TRANSPORT.transporter_id, transporterName: 'V'.repeat(100) },
    ],
  ])('has for the transport %j only its parts', (transport, parts) => {
    expect(made({}, transport).json).toMatchObject({ ...NOTHING, ...parts });
  });

  it.each<[string, DocumentChanges]>([
    ['For e-way bills the address of the seller must end with its place', { seller: { address: 'Mumbai' } }],
    ['For e-way bills the delivery needs a city, and a PIN code', { deliverTo: { pincode: '400001' } }],
    ['For e-way bills the name of the recipient must be in Latin letters', { deliverTo: { name: 'रवि' } }],
    ['An e-way bill has at most 250 lines. Enter this one by hand.', { items: itemsOf(251) }],
  ])('is not possible: %s', (fault, changes) => {
    expect(made(changes).fault).toContain(fault);
  });

  it('may have 250 lines', () => {
    expect(made({ items: itemsOf(250) }).fault).toBeUndefined();
  });

  it.each([
    ['27', '27', 100_000, 100_000_00],
    ['27', '29', 100_000, 50_000_00],
    ['27', undefined, 100_000, 50_000_00],
    ['27', '27', 20_000, 20_000_00],
  ])(
    'is due from %s to %s, with a limit of ₹%d within the state, above %d paise',
    (from, to, ofState, limit) => {
      expect(eWayBillLimit(from, to, ofState)).toBe(limit);
    },
  );
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

  it.each<[keyof Transport, string, string[]]>([
    ['mode', 'must be one of road, rail, air, ship', ['boat', 'toString']],
    ['distance_km', 'must be a whole number of kilometres up to 4000', ['4001', '1.5', '12 km', 'km12']],
    [
      'vehicle_number',
      'must have 7 to 15 letters and digits, such as KA01AB1234',
      ['KA0112', 'K'.repeat(16)],
    ],
    ['vehicle_type', 'must be one of regular, over_dimensional', ['lorry']],
    [
      'transporter_id',
      'must be a GSTIN or a TRANSIN of 15 characters',
      ['29AAGCB7383J1Z', 'X29AAGCB7383J1Z4', '29AAGCB7383J1Z4X'],
    ],
    ['transporter_name', 'must have at most 100 characters', ['v'.repeat(101)]],
    [
      'transport_document',
      'must have up to 15 letters, digits, slashes and hyphens',
      ['LR 1', '1'.repeat(16)],
    ],
    ['transport_document_on', 'must be a day such as 2026-11-26', ['today']],
  ])('is refused: %s %s', (field, fault, texts) => {
    expect(texts.map((typed) => read(field, typed))).toEqual(texts.map(() => `${field} ${fault}`));
  });

  it('may be empty', () => {
    for (const field of TRANSPORT_FIELDS) expect(read(field, ' ')).toBeUndefined();
    expect(TRANSPORT_FIELDS).toHaveLength(8);
  });
});

it('An invoice without its e-way bill says when it needs one', () => {
  expect(`INV-1 ${NEEDS_E_WAY_BILL}`).toBe('INV-1 needs an e-way bill before its goods move.');
});
