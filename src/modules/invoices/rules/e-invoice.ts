import {
  amountFromMinor,
  amountFromNumeric,
  type Minor,
  minorFromNumeric,
} from '../../../platform/money/money.js';
import type { Day } from '../../../platform/time/time.js';
import { isService } from '../../tax/goods-law.js';
import type { GstCategory } from '../../tax/gst-codes.js';
import { stateInAddress } from '../../tax/gstin.js';
import { type AddressParts, addressParts, deliveryParts } from './address-parts.js';
import type { DocumentKind } from './document-number.js';
import { toPortalText } from './portal-text.js';

interface Party {
  name: string;
  address: string;
  state: string;
}

interface Delivery {
  name: string;
  address: string;
  city: string;
  pincode: string;
  state: string;
  state_code?: string;
}

interface EInvoiceFacts {
  seller: Party & { gstin: string };
  client: Party & { gstin: string | null; gst_category?: GstCategory };
  deliver_to: Delivery | null;
  against: { number: string; issued_on: Day } | null;
}

type Amounts = Record<'taxable' | 'cgst' | 'sgst' | 'igst' | 'gross', string>;

interface Item extends Amounts {
  description: string;
  hsn: string;
  unit: string;
  quantity: number;
  gstRate: string;
}

/** A tax invoice or a note for a client with a GSTIN. */
export interface RegistrableDocument extends Amounts {
  number: string;
  kind: DocumentKind;
  issuedOn: Day;
  placeOfSupply: string;
  facts: EInvoiceFacts;
  items: readonly Item[];
}

/** The rule above a turnover of ₹5 crore, which is also the limit of e-invoices. */
const MIN_HSN_DIGITS = 6;
const MAX_ITEMS = 1_000;

const TYPES: Partial<Record<DocumentKind, string>> = {
  invoice: 'INV',
  credit_note: 'CRN',
  debit_note: 'DBN',
};

const ADDRESS_RULE =
  'must end with its place and a PIN code of its state, such as “12 MG Road, Bengaluru 560001”';

const BY_ADMINS = 'Admins can change it under Settings.';
const BY_STAFF = 'Staff can change it on the page of the client, and its owner under Plan.';
const BY_ORDER = 'Staff can change the delivery on the page of the order.';

/** The reason why such documents cannot be registered, and who can mend it. */
export function eInvoiceFault(facts: EInvoiceFacts, hsns: readonly string[]): string | undefined {
  return (
    sellerFault(facts, 'e-invoices') ??
    clientFault(facts) ??
    deliveryFault(facts, 'e-invoices') ??
    scriptFault(facts, 'e-invoices') ??
    codeFault(hsns)
  );
}

function clientFault({ client }: EInvoiceFacts): string | undefined {
  if (addressParts(client.address, client.state)) return undefined;
  return `For e-invoices the billing address of ${client.name} ${ADDRESS_RULE}. ${BY_STAFF}`;
}

/** A description in another script is left out, as the schema allows. Names and addresses must be there. */
export function scriptFault(
  { seller, client, deliver_to: to }: EInvoiceFacts,
  purpose: Registration,
): string | undefined {
  const texts = [
    ['the name of the seller', seller.name, BY_ADMINS],
    ['the address of the seller', seller.address, BY_ADMINS],
    ['the name of the client', client.name, 'Staff can change it on the page of the client.'],
    [`the billing address of ${client.name}`, client.address, BY_STAFF],
    ...(to === null
      ? []
      : [
          ['the name of the recipient', to.name, BY_ORDER],
          ['the address of the delivery', to.address, BY_ORDER],
          ['the city of the delivery', to.city, BY_ORDER],
        ]),
  ] as const;
  const wrong = texts.find(([, text]) => toPortalText(text!) === undefined);
  if (wrong === undefined) return undefined;
  const [what, text, remedy] = wrong;
  return `For ${purpose} ${what} must be in Latin letters, but it is “${text}”. ${remedy}`;
}

function codeFault(hsns: readonly string[]): string | undefined {
  const short = hsns.find((hsn) => hsn.length < MIN_HSN_DIGITS);
  if (short !== undefined)
    return (
      `For e-invoices an HSN code needs ${MIN_HSN_DIGITS} digits, but one is ${short}. ` +
      'Staff can change it on the page of the product.'
    );
  return undefined;
}

type Registration = 'e-invoices' | 'e-way bills';

export function sellerFault({ seller }: EInvoiceFacts, purpose: Registration): string | undefined {
  return addressParts(seller.address, seller.state)
    ? undefined
    : `For ${purpose} the address of the seller ${ADDRESS_RULE}. ${BY_ADMINS}`;
}

export function deliveryFault({ deliver_to }: EInvoiceFacts, purpose: Registration): string | undefined {
  if (!deliver_to || deliveryParts(deliver_to, stateOf(deliver_to))) return undefined;
  return `For ${purpose} the delivery needs a city, and a PIN code of its state. ${BY_ORDER}`;
}

/**
 * The document in the schema INV-01, version 1.1, or the reason against it. Amounts come from the document,
 * so they add up. The prices of units are without tax and have three decimals, as the schema allows.
 */
export function eInvoiceOf(document: RegistrableDocument): { json: object } | { fault: string } {
  const { facts, items, number, kind, issuedOn, placeOfSupply } = document;
  const { seller, client, deliver_to, against } = facts;
  const fault =
    eInvoiceFault(
      facts,
      items.map(({ hsn }) => hsn),
    ) ?? countFault(items);
  if (fault !== undefined) return { fault };
  const json = {
    Version: '1.1',
    TranDtls: { TaxSch: 'GST', SupTyp: client.gst_category === 'sez' ? 'SEZWP' : 'B2B', RegRev: 'N' },
    DocDtls: { Typ: TYPES[kind], No: number, Dt: portalDate(issuedOn) },
    SellerDtls: { Gstin: seller.gstin, ...partyOf(seller) },
    BuyerDtls: { Gstin: client.gstin, ...partyOf(client), Pos: placeOfSupply },
    ...shipTo(deliver_to, client),
    ItemList: items.map(itemOf),
    ValDtls: {
      AssVal: amountFromNumeric(document.taxable),
      CgstVal: amountFromNumeric(document.cgst),
      SgstVal: amountFromNumeric(document.sgst),
      IgstVal: amountFromNumeric(document.igst),
      TotInvVal: amountFromNumeric(document.gross),
    },
    ...(against && {
      RefDtls: { PrecDocDtls: [{ InvNo: against.number, InvDt: portalDate(against.issued_on) }] },
    }),
  };
  return { json };
}

/** A note of a paisa or two may lower only the tax. */
function countFault(items: readonly Item[]): string | undefined {
  if (items.length > MAX_ITEMS) return `An e-invoice has at most ${MAX_ITEMS} lines.`;
  return items.some(({ taxable }) => amountFromNumeric(taxable) < 0)
    ? 'An e-invoice has no taxable value below 0. Register this note by hand.'
    : undefined;
}

export const stateOf = ({ state_code, state }: Delivery) => state_code ?? stateInAddress(state);

const partyOf = ({ name, address, state }: Party) => addressBlock(name, addressParts(address, state)!, state);

/** Undefined if the goods go to the billing address. */
function shipTo(to: Delivery | null, client: Party) {
  if (!to || isAtBillingAddress(to, client)) return undefined;
  const state = stateOf(to);
  return { ShipDtls: addressBlock(to.name, deliveryParts(to, state)!, state!) };
}

/** The delivery has no fault; the billing address may have one. */
export function isAtBillingAddress(to: Delivery, client: Party): boolean {
  const there = deliveryParts(to, stateOf(to))!;
  const billed = addressParts(client.address, client.state);
  return (
    to.name === client.name &&
    there.pin === billed?.pin &&
    there.line.toLowerCase() === billed.line.toLowerCase()
  );
}

function addressBlock(name: string, { line, place, pin }: AddressParts, state: string) {
  const [first, rest] = splitLine(toSchemaText(line, 1, MAX_LINE_LENGTH * 2)!);
  return {
    LglNm: toSchemaText(name, 3, 100),
    Addr1: first,
    ...(rest && { Addr2: rest }),
    Loc: toSchemaText(place, 3),
    Pin: pin,
    Stcd: state,
  };
}

/** The portal refuses a line whose quantity × price differs by more than a rupee. */
const TOLERANCE: Minor = 1_00;

/** The price of a unit has three decimals at most. A discount takes back what it is rounded up. */
function priceOf(taxable: Minor, quantity: number) {
  const exact = (taxable * 10) / quantity;
  const rounded = Math.round(exact);
  const isNear = rounded > 0 && Math.abs(rounded * quantity - taxable * 10) <= TOLERANCE * 10;
  const milli = isNear ? rounded : Math.ceil(exact);
  const total = isNear ? taxable : Math.round((milli * quantity) / 10);
  return {
    UnitPrice: milli / 1_000,
    TotAmt: amountFromMinor(total),
    ...(total > taxable && { Discount: amountFromMinor(total - taxable) }),
  };
}

function itemOf({ description, hsn, unit, quantity, ...item }: Item, at: number) {
  const isOfService = isService(hsn);
  return {
    SlNo: String(at + 1),
    ...describe(description),
    IsServc: isOfService ? 'Y' : 'N',
    HsnCd: hsn,
    // A service has no units. A delivery charge belongs to its goods and has no unit of its own.
    ...(!isOfService && { Qty: quantity, Unit: unit || 'OTH' }),
    ...priceOf(minorFromNumeric(item.taxable), isOfService ? 1 : quantity || 1),
    AssAmt: amountFromNumeric(item.taxable),
    GstRt: Number(item.gstRate),
    IgstAmt: amountFromNumeric(item.igst),
    CgstAmt: amountFromNumeric(item.cgst),
    SgstAmt: amountFromNumeric(item.sgst),
    TotItemVal: amountFromNumeric(item.gross),
  };
}

function describe(description: string) {
  const text = toSchemaText(description, 3, 300);
  return text === undefined ? {} : { PrdDesc: text };
}

/** The schema has minimum lengths. */
export const toSchemaText = (text: string, minLength = 0, maxLength = Infinity) =>
  toPortalText(text)?.slice(0, maxLength).padEnd(minLength, '.');

const MAX_LINE_LENGTH = 100;

/** Two lines of at most 100 characters. The second one has at least 3. */
export function splitLine(line: string): [first: string, rest?: string] {
  if (line.length <= MAX_LINE_LENGTH) return [line];
  const at = Math.max(line.lastIndexOf(' ', 97), line.length - MAX_LINE_LENGTH);
  return [line.slice(0, at), line.slice(at).trim()];
}

/** "26/11/2026". */
export const portalDate = (day: Day) => day.split('-').toReversed().join('/');
