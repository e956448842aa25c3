import { INDIA } from '../../../platform/validation/countries.js';
import { readState } from './shipping-state.js';

interface OrderField {
  /** Its path in the request, in the content hash and in the commands' answers. */
  path: readonly [name: string] | readonly [group: string, name: string];
  label: string;
  /** The heading in the client's file, if it is not the label. */
  heading?: string;
  maxLength: number;
  /** The value of a request without it. */
  defaultValue?: string;
  /** A part of the address, which people may correct until the parcel leaves. The rest never changes. */
  isDelivery?: true;
  type?: 'tel';
}

/**
 * The fields that a store sends with an order, apart from its lines and its own id. The insert, the content
 * hash, files, packing list, slip, pages and commands follow from them. A new one begins here.
 */
export const ORDER_FIELDS = {
  customerName: {
    path: ['customer', 'name'],
    label: 'Name',
    heading: 'Customer',
    maxLength: 200,
    isDelivery: true,
  },
  customerPhone: {
    path: ['customer', 'phone'],
    label: 'Phone',
    maxLength: 40,
    isDelivery: true,
    type: 'tel',
  },
  customerEmail: { path: ['customer', 'email'], label: 'E-mail', maxLength: 254 },
  shippingAddress: { path: ['shipping', 'address'], label: 'Address', maxLength: 1_000, isDelivery: true },
  shippingCity: { path: ['shipping', 'city'], label: 'City', maxLength: 200, isDelivery: true },
  shippingState: { path: ['shipping', 'state'], label: 'State', maxLength: 200, isDelivery: true },
  shippingPincode: { path: ['shipping', 'pincode'], label: 'PIN code', maxLength: 12, isDelivery: true },
  shippingCountry: {
    path: ['shipping', 'country'],
    label: 'Country',
    maxLength: 200,
    defaultValue: INDIA,
    isDelivery: true,
  },
  notes: { path: ['notes'], label: 'Notes', maxLength: 1_000 },
} as const satisfies Record<string, OrderField>;

type Fields = typeof ORDER_FIELDS;

export type OrderFieldName = keyof Fields;

export type DeliveryName = {
  [Name in OrderFieldName]: Fields[Name] extends { isDelivery: true } ? Name : never;
}[OrderFieldName];

export const ORDER_FIELD_NAMES = Object.keys(ORDER_FIELDS) as OrderFieldName[];

export const orderField = (name: OrderFieldName): OrderField => ORDER_FIELDS[name];

export const DELIVERY_NAMES = ORDER_FIELD_NAMES.filter(
  (name): name is DeliveryName => orderField(name).isDelivery === true,
);

/** The address as it stands on cards, slips, labels and invoices, below the name. */
export const addressLines = (of: (name: Extract<DeliveryName, `shipping${string}`>) => unknown) => [
  `${of('shippingAddress')}`,
  `${of('shippingCity')} ${of('shippingPincode')}`,
  `${of('shippingState')}, ${of('shippingCountry')}`,
];

/** Facts beside the address: cards, slips and commands show each under its label. */
export const EXTRA_NAMES = ORDER_FIELD_NAMES.filter(
  (name): name is Exclude<OrderFieldName, DeliveryName> => !orderField(name).isDelivery,
);

/** The name in a form, and in the history of corrections. */
export type ShortName<Name extends OrderFieldName> = Fields[Name]['path'] extends readonly [infer Only]
  ? Only
  : Fields[Name]['path'] extends readonly [string, infer Last]
    ? Last
    : never;

/** The fields at the top level of the request. The packing slip shows them below the goods. */
export const TOP_LEVEL_NAMES = ORDER_FIELD_NAMES.filter(
  (name): name is NameAt<readonly [string]> => orderField(name).path.length === 1,
);

export const shortName = <Name extends OrderFieldName>(name: Name) =>
  orderField(name).path.at(-1) as ShortName<Name>;

/** The name of its column in files of the wholesaler: `customer_phone`, `city`. */
export type ExportName<Name extends OrderFieldName> = Fields[Name]['path'] extends readonly [
  'customer',
  infer Last extends string,
]
  ? `customer_${Last}`
  : ShortName<Name>;

export function exportName<Name extends OrderFieldName>(name: Name) {
  const [group, last] = orderField(name).path;
  return (group === 'customer' ? `${group}_${last}` : (last ?? group)) as ExportName<Name>;
}

type Paths = Fields[OrderFieldName]['path'];

/** The field at this path. */
type NameAt<Path> = {
  [Name in OrderFieldName]: Fields[Name]['path'] extends Path ? Name : never;
}[OrderFieldName];

/** Values grouped like a request: `{ customer: { name }, notes }`. */
type Nested<Values extends Record<OrderFieldName, unknown>> = {
  [Group in Paths[0]]: NameAt<readonly [Group]> extends never
    ? {
        [Last in Extract<Paths, readonly [Group, string]>[1]]: Values[NameAt<readonly [Group, Last]>];
      }
    : Values[NameAt<readonly [Group]>];
};

/** A group without values is left out. */
export function nest<Values extends Record<OrderFieldName, unknown>>(values: Values): Nested<Values> {
  const nested: Record<string, unknown> = {};
  for (const name of ORDER_FIELD_NAMES) {
    const [group, last] = orderField(name).path;
    const value = values[name];
    if (last === undefined) nested[group] = value;
    else if (value !== undefined) nested[group] = { ...(nested[group] as object), [last]: value };
  }
  return nested as Nested<Values>;
}

/** The body of an order. A quote may leave out parts. */
export type OrderFieldsRequest = { [Group in Paths[0]]?: string | object | undefined };

/** The values of the delivery, by field. A country that is left out is the default one. */
export function readDelivery(request: OrderFieldsRequest): Record<DeliveryName, string> {
  const values = readOrderFields(request);
  return Object.fromEntries(DELIVERY_NAMES.map((name) => [name, values[name]!])) as Record<
    DeliveryName,
    string
  >;
}

/** The values of a request as they are kept, by field: an Indian state has one spelling. */
export function readOrderFields(request: OrderFieldsRequest): Record<OrderFieldName, string | undefined> {
  const sent = sentOrderFields(request);
  const { shippingState: state, shippingCountry: country } = sent;
  return { ...sent, shippingState: state === undefined ? state : readState(state, country) };
}

/** The values as they were sent, by field. */
export function sentOrderFields(request: OrderFieldsRequest): Record<OrderFieldName, string | undefined> {
  const values = ORDER_FIELD_NAMES.map((name) => {
    const { path, defaultValue } = orderField(name);
    const [group, last] = path;
    const groupOrValue = request[group as Paths[0]] as
      string | Record<string, string | undefined> | undefined;
    if (last === undefined || groupOrValue === undefined) return [name, groupOrValue];
    return [name, (groupOrValue as Record<string, string | undefined>)[last] ?? defaultValue];
  });
  return Object.fromEntries(values) as Record<OrderFieldName, string | undefined>;
}
