import type { RegistrableDocument } from '../../src/modules/invoices/rules/e-invoice.js';

type Facts = RegistrableDocument['facts'];
type Item = RegistrableDocument['items'][number];

const MUG: Item = {
  description: 'Mug, "Red\\Blue"',
  hsn: '691200',
  unit: 'PCS',
  quantity: 3,
  gstRate: '18.00',
  taxable: '299.99',
  cgst: '0.01',
  sgst: '0.02',
  igst: '54.00',
  gross: '353.99',
};
const DELIVERY_CHARGE: Item = { ...MUG, description: 'Delivery', unit: '', quantity: 1, taxable: '0.10' };

/** Goods from Maharashtra for a client in Karnataka, delivered in Kerala. The amounts of all kinds differ. */
const INVOICE: RegistrableDocument = {
  number: 'INV-2627-0000001',
  kind: 'invoice',
  issuedOn: '2026-11-06',
  placeOfSupply: '29',
  facts: {
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
  },
  items: [MUG, DELIVERY_CHARGE],
  taxable: '300.09',
  cgst: '1.00',
  sgst: '2.00',
  igst: '54.02',
  gross: '354.11',
};

/** What differs from the usual document. */
export interface DocumentChanges extends Partial<Omit<RegistrableDocument, 'facts' | 'items'>> {
  items?: Partial<Item>[];
  against?: Facts['against'];
  seller?: Partial<Facts['seller']>;
  client?: Partial<Facts['client']>;
  /** Null if nothing is delivered. */
  deliverTo?: Partial<NonNullable<Facts['deliver_to']>> | null;
}

export function registrableDocument(changes: DocumentChanges = {}): RegistrableDocument {
  const { items, against = null, seller, client, deliverTo, ...document } = changes;
  const { facts } = INVOICE;
  return {
    ...INVOICE,
    ...document,
    items: items?.map((item) => ({ ...MUG, ...item })) ?? INVOICE.items,
    facts: {
      seller: { ...facts.seller, ...seller },
      client: { ...facts.client, ...client },
      deliver_to: deliverTo === null ? null : { ...facts.deliver_to!, ...deliverTo },
      against,
    },
  };
}
