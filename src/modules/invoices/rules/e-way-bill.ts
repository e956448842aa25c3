import { amountFromNumeric, type Minor } from '../../../platform/money/money.js';
import { type Day, parseDay } from '../../../platform/time/time.js';
import { isService } from '../../tax/goods-law.js';
import { type AddressParts, addressParts, deliveryParts } from './address-parts.js';
import {
  deliveryFault,
  isAtBillingAddress,
  portalDate,
  type RegistrableDocument,
  scriptFault,
  sellerFault,
  splitLine,
  stateOf,
  toSchemaText,
} from './e-invoice.js';
import { isHomeSupply } from './tax.js';

/** The end of a sentence about an invoice whose goods must not move yet. */
export const NEEDS_E_WAY_BILL = 'needs an e-way bill before its goods move.';

/** Part B, and the transporter. A field that is not known is absent. */
export interface Transport {
  mode?: TransportMode;
  distance_km?: string;
  vehicle_number?: string;
  vehicle_type?: VehicleType;
  transporter_id?: string;
  transporter_name?: string;
  transport_document?: string;
  transport_document_on?: Day;
}

/** The codes of the portal. */
export const TRANSPORT_MODES = { road: 1, rail: 2, air: 3, ship: 4 } as const;
export const VEHICLE_TYPES = { regular: 'R', over_dimensional: 'O' } as const;

type TransportMode = keyof typeof TRANSPORT_MODES;
type VehicleType = keyof typeof VEHICLE_TYPES;

const MAX_ITEMS = 250;

/** In rupees. A state may raise the limit only for goods that stay there (Rule 138(1) and (14)). */
export const LIMIT_BETWEEN_STATES = 50_000;

/** The value of taxed goods above which they need an e-way bill, by the codes of the states. */
export function eWayBillLimit(from: string, to: string | undefined, limitOfState: number): Minor {
  return (from === to ? limitOfState : Math.min(limitOfState, LIMIT_BETWEEN_STATES)) * 100;
}

/** The bill in the format of the portal's bulk tool, or the reason against it, and who can mend it. */
export function eWayBillOf(
  document: RegistrableDocument,
  transport: Transport,
): { json: object } | { fault: string } {
  const { facts, items } = document;
  const fault =
    transportFault(transport) ??
    sellerFault(facts, 'e-way bills') ??
    deliveryFault(facts, 'e-way bills') ??
    scriptFault(facts, 'e-way bills') ??
    (items.length > MAX_ITEMS
      ? `An e-way bill has at most ${MAX_ITEMS} lines. Enter this one by hand.`
      : undefined);
  return fault === undefined ? { json: jsonOf(document, transport) } : { fault };
}

/** The transporter may enter the vehicle later. */
function transportFault({ mode = 'road', ...transport }: Transport): string | undefined {
  const isKnown =
    transport.transporter_id ?? (mode === 'road' ? transport.vehicle_number : transport.transport_document);
  if (isKnown !== undefined) return undefined;
  return mode === 'road'
    ? 'It needs a vehicle number, or the GSTIN of the transporter. Packers can record them.'
    : 'It needs the transport document, or the GSTIN of the transporter. Packers can record them.';
}

function jsonOf(document: RegistrableDocument, transport: Transport) {
  const { facts, items, placeOfSupply } = document;
  const { seller, client } = facts;
  // Every invoice has a delivery.
  const to = facts.deliver_to!;
  const toState = stateOf(to)!;
  const isElsewhere = client.gstin !== null && !isAtBillingAddress(to, client);
  return {
    userGstin: seller.gstin,
    supplyType: 'O',
    subSupplyType: 1,
    subSupplyDesc: '',
    docType: items.some(({ gstRate }) => Number(gstRate) > 0) ? 'INV' : 'BIL',
    docNo: document.number,
    docDate: portalDate(document.issuedOn),
    transType: isElsewhere ? 2 : 1,
    fromGstin: seller.gstin,
    fromTrdName: toSchemaText(seller.name, 0, 100),
    ...address('from', addressParts(seller.address, seller.state)!),
    fromStateCode: Number(seller.state),
    actualFromStateCode: Number(seller.state),
    toGstin: client.gstin ?? 'URP',
    toTrdName: toSchemaText(client.name, 0, 100),
    ...address('to', deliveryParts(to, toState)!),
    toStateCode: Number(placeOfSupply),
    actualToStateCode: Number(toState),
    totalValue: amountFromNumeric(document.taxable),
    cgstValue: amountFromNumeric(document.cgst),
    sgstValue: amountFromNumeric(document.sgst),
    igstValue: amountFromNumeric(document.igst),
    cessValue: 0,
    TotNonAdvolVal: 0,
    OthValue: 0,
    totInvValue: amountFromNumeric(document.gross),
    ...partB(transport),
    mainHsnCode: Number((items.find(({ hsn }) => !isService(hsn)) ?? items[0]!).hsn),
    itemList: items.map((item, at) => itemOf(item, at, isHomeSupply(placeOfSupply, facts))),
  };
}

function partB({ mode = 'road', vehicle_type: type = 'regular', ...transport }: Transport) {
  const { vehicle_number: vehicle = '', transport_document_on: day } = transport;
  const isKnown = vehicle !== '' || transport.transport_document !== undefined;
  return {
    transporterId: transport.transporter_id ?? '',
    transporterName: toSchemaText(transport.transporter_name ?? '', 0, 100) ?? '',
    transDocNo: transport.transport_document ?? '',
    transDocDate: day === undefined ? '' : portalDate(day),
    transMode: isKnown ? TRANSPORT_MODES[mode] : '',
    // 0: the portal finds it by the PIN codes.
    transDistance: Number(transport.distance_km ?? 0),
    vehicleNo: vehicle,
    vehicleType: vehicle === '' ? '' : VEHICLE_TYPES[type],
  };
}

function address(side: 'from' | 'to', { line, place, pin }: AddressParts) {
  const [first, rest = ''] = splitLine(toSchemaText(line)!);
  return {
    [`${side}Addr1`]: first,
    [`${side}Addr2`]: rest,
    [`${side}Place`]: toSchemaText(place),
    [`${side}Pincode`]: pin,
  };
}

function itemOf(item: RegistrableDocument['items'][number], at: number, isWithinState: boolean) {
  const rate = Number(item.gstRate);
  return {
    itemNo: at + 1,
    productName: '',
    productDesc: toSchemaText(item.description, 0, 100) ?? '',
    hsnCode: Number(item.hsn),
    quantity: item.quantity,
    qtyUnit: isService(item.hsn) ? 'NA' : item.unit || 'OTH',
    taxableAmount: amountFromNumeric(item.taxable),
    sgstRate: isWithinState ? rate / 2 : 0,
    cgstRate: isWithinState ? rate / 2 : 0,
    igstRate: isWithinState ? 0 : rate,
    cessRate: 0,
    cessNonAdvol: 0,
  };
}

const VEHICLE = /^[A-Z0-9]{7,15}$/;
const TRANSPORTER = /^\d{2}[A-Z0-9]{13}$/;
const TRANSPORT_DOCUMENT = /^[A-Z0-9/-]{1,15}$/;
const MAX_KILOMETRES = 4_000;

const among = (values: object) => (text: string) =>
  Object.hasOwn(values, text) ? undefined : `must be one of ${Object.keys(values).join(', ')}`;

const matches = (pattern: RegExp, fault: string) => (text: string) =>
  pattern.test(text) ? undefined : fault;

/** The fault of each field, as typed but in capital letters where the portal has them. */
const FAULT_OF: Record<keyof Transport, (text: string) => string | undefined> = {
  mode: among(TRANSPORT_MODES),
  distance_km: (text) =>
    /^\d{1,4}$/.test(text) && Number(text) <= MAX_KILOMETRES
      ? undefined
      : `must be a whole number of kilometres up to ${MAX_KILOMETRES}`,
  vehicle_number: matches(VEHICLE, 'must have 7 to 15 letters and digits, such as KA01AB1234'),
  vehicle_type: among(VEHICLE_TYPES),
  transporter_id: matches(TRANSPORTER, 'must be a GSTIN or a TRANSIN of 15 characters'),
  transporter_name: (text) => (text.length <= 100 ? undefined : 'must have at most 100 characters'),
  transport_document: matches(TRANSPORT_DOCUMENT, 'must have up to 15 letters, digits, slashes and hyphens'),
  transport_document_on: (text) =>
    parseDay(text) === undefined ? 'must be a day such as 2026-11-26' : undefined,
};

export const TRANSPORT_FIELDS = Object.keys(FAULT_OF) as (keyof Transport)[];

/** Reads a field; undefined for an empty one. A fault goes to `note`. */
export function readTransport(
  field: keyof Transport,
  typed: string,
  note: (column: string, fault: string) => void,
): string | undefined {
  const text = asPortal(field, typed.trim());
  const fault = text === '' ? undefined : FAULT_OF[field](text);
  if (fault !== undefined) note(field, fault);
  return text === '' ? undefined : text;
}

function asPortal(field: keyof Transport, text: string): string {
  if (field === 'mode' || field === 'vehicle_type') return text.toLowerCase().replaceAll(' ', '_');
  if (field === 'transporter_name') return text;
  if (field === 'transport_document_on') return parseDay(text) ?? text;
  const capitals = text.toUpperCase();
  return field === 'transport_document' ? capitals : capitals.replaceAll(/[ -]/g, '');
}
