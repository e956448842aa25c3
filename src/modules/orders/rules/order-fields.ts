import { INDIA } from '../../../platform/validation/countries.js';

interface SentField {
  /** Its path in the request, in the content hash and in the commands' answers. */
  path: readonly [name: string] | readonly [group: string, name: string];
  label: string;
  /** The heading in the client's file, if it is not the label. */
  heading?: string;
  longest: number;
  /** The value of a request without it. */
  usual?: string;
  /** A part of the address, which people may correct until the parcel leaves. The rest never changes. */
  isDelivery?: true;
  type?: 'tel';
}

/**
 * The fields that a store sends with an order, apart from its lines and its own id. The insert, the content
 * hash, files, packing list, slip, pages and commands follow from them. A new one begins here.
 */
export const SENT_FIELDS = {
  customerName: {
    path: ['customer', 'name'],
    label: 'Name',
    heading: 'Customer',
    longest: 200,
    isDelivery: true,
  },
  customerPhone: { path: ['customer', 'phone'], label: 'Phone', longest: 40, isDelivery: true, type: 'tel' },
  customerEmail: { path: ['customer', 'email'], label: 'E-mail', longest: 254 },
  shippingAddress: { path: ['shipping', 'address'], label: 'Address', longest: 1_000, isDelivery: true },
  shippingCity: { path: ['shipping', 'city'], label: 'City', longest: 200, isDelivery: true },
  shippingState: { path: ['shipping', 'state'], label: 'State', longest: 200, isDelivery: true },
  shippingPincode: { path: ['shipping', 'pincode'], label: 'PIN code', longest: 12, isDelivery: true },
  shippingCountry: {
    path: ['shipping', 'country'],
    label: 'Country',
    longest: 200,
    usual: INDIA,
    isDelivery: true,
  },
  notes: { path: ['notes'], label: 'Notes', longest: 1_000 },
} as const satisfies Record<string, SentField>;

type Fields = typeof SENT_FIELDS;

export type SentName = keyof Fields;

export type DeliveryName = {
  [Name in SentName]: Fields[Name] extends { isDelivery: true } ? Name : never;
}[SentName];

export const SENT_NAMES = Object.keys(SENT_FIELDS) as SentName[];

export const describe = (name: SentName): SentField => SENT_FIELDS[name];

export const DELIVERY_NAMES = SENT_NAMES.filter(
  (name): name is DeliveryName => describe(name).isDelivery === true,
);

/** The address as it stands on cards, slips, labels and invoices, below the name. */
export const addressLines = (of: (name: Extract<DeliveryName, `shipping${string}`>) => unknown) => [
  `${of('shippingAddress')}`,
  `${of('shippingCity')} ${of('shippingPincode')}`,
  `${of('shippingState')}, ${of('shippingCountry')}`,
];

/** Facts beside the address: cards, slips and commands show each under its label. */
export const EXTRA_NAMES = SENT_NAMES.filter(
  (name): name is Exclude<SentName, DeliveryName> => !describe(name).isDelivery,
);

/** The name in a form, and in the history of corrections. */
export type ShortName<Name extends SentName> = Fields[Name]['path'] extends readonly [infer Only]
  ? Only
  : Fields[Name]['path'] extends readonly [string, infer Last]
    ? Last
    : never;

/** The fields at the top level of the request. The packing slip shows them below the goods. */
export const LONE_NAMES = SENT_NAMES.filter(
  (name): name is NameAt<readonly [string]> => describe(name).path.length === 1,
);

export const shortName = <Name extends SentName>(name: Name) => describe(name).path.at(-1) as ShortName<Name>;

/** The name of its column in files of the wholesaler: `customer_phone`, `city`. */
export type ExportName<Name extends SentName> = Fields[Name]['path'] extends readonly [
  'customer',
  infer Last extends string,
]
  ? `customer_${Last}`
  : ShortName<Name>;

export function exportName<Name extends SentName>(name: Name) {
  const [group, last] = describe(name).path;
  return (group === 'customer' ? `${group}_${last}` : (last ?? group)) as ExportName<Name>;
}

type Paths = Fields[SentName]['path'];

/** The field at this path. */
type NameAt<Path> = {
  [Name in SentName]: Fields[Name]['path'] extends Path ? Name : never;
}[SentName];

/** Values grouped like a request: `{ customer: { name }, notes }`. */
type Nested<Values extends Record<SentName, unknown>> = {
  [Group in Paths[0]]: NameAt<readonly [Group]> extends never
    ? {
        [Last in Extract<Paths, readonly [Group, string]>[1]]: Values[NameAt<readonly [Group, Last]>];
      }
    : Values[NameAt<readonly [Group]>];
};

/** A group without values is left out. */
export function nest<Values extends Record<SentName, unknown>>(values: Values): Nested<Values> {
  const nested: Record<string, unknown> = {};
  for (const name of SENT_NAMES) {
    const [group, last] = describe(name).path;
    const value = values[name];
    if (last === undefined) nested[group] = value;
    else if (value !== undefined) nested[group] = { ...(nested[group] as object), [last]: value };
  }
  return nested as Nested<Values>;
}

/** The body of an order. A quote may leave out parts. */
export type SentRequest = { [Group in Paths[0]]?: string | object | undefined };

/** The values of a request, by field. */
export function sentValues(request: SentRequest): Record<SentName, string | undefined> {
  const values = SENT_NAMES.map((name) => {
    const { path, usual } = describe(name);
    const [group, last] = path;
    const given = request[group as Paths[0]] as string | Record<string, string | undefined> | undefined;
    if (last === undefined || given === undefined) return [name, given];
    return [name, (given as Record<string, string | undefined>)[last] ?? usual];
  });
  return Object.fromEntries(values) as Record<SentName, string | undefined>;
}
