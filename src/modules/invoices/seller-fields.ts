import type { DescribedField } from '../../platform/validation/described-field.js';
import { readFields } from '../../platform/validation/readers.js';
import { readLine } from '../../platform/validation/texts.js';
import { readGstin, stateOf } from '../tax/gstin.js';
import { readFrom } from './rules/registrations.js';

interface SellerField<Value> extends DescribedField {
  /** Throws for an invalid text. */
  read(text: string): Value;
}

const LONGEST_NAME = 200;
const LONGEST_ADDRESS = 300;

/** The editable fields of the seller. Forms, pages and the command follow from this list. */
export const SELLER_FIELDS = {
  name: {
    label: 'Legal name',
    longest: LONGEST_NAME,
    isRequired: true,
    read: (text: string) => readLine('name', text, LONGEST_NAME),
  },
  gstin: { label: 'GSTIN', hint: 'It also sets the state', longest: 30, isRequired: true, read: readGstin },
  address: {
    label: 'Address',
    longest: LONGEST_ADDRESS,
    isRequired: true,
    read: (text: string) => readLine('address', text, LONGEST_ADDRESS),
  },
  state: {
    label: 'State',
    hint: 'A name or code that matches the GSTIN. Leave empty to take it from the GSTIN',
    longest: 60,
    read: (text: string) => (text.trim() === '' ? null : stateOf(text)),
  },
  receiptVouchers: {
    label: 'Receipt vouchers for top-ups',
    options: [
      { value: 'no', text: 'No' },
      { value: 'yes', text: 'Yes' },
    ],
    read: (text: string) => text === 'yes',
  },
  from: {
    label: 'New registration from',
    hint: 'For another GSTIN after the first invoice: the first day of a month, such as 2026-12-01',
    longest: 30,
    read: readFrom,
  },
  mistyped: {
    label: 'The old GSTIN was mistyped',
    options: [
      { value: 'no', text: 'No' },
      { value: 'yes', text: 'Yes, correct it in all future documents' },
    ],
    read: (text: string) => text === 'yes',
  },
} as const satisfies Record<string, SellerField<unknown>>;

export type SellerName = keyof typeof SELLER_FIELDS;

export type SellerChange = Partial<Record<SellerName, string>>;

type SellerRead = { [Name in SellerName]: ReturnType<(typeof SELLER_FIELDS)[Name]['read']> };

export const SELLER_NAMES = Object.keys(SELLER_FIELDS) as SellerName[];

/** The given values. All faults are reported at once, by field. */
export function readSeller(change: SellerChange): Partial<SellerRead> {
  const given = SELLER_NAMES.filter((name) => change[name] !== undefined);
  const readers = given.map((name) => [name, () => SELLER_FIELDS[name].read(change[name]!)]);
  return readFields(Object.fromEntries(readers) as Record<SellerName, () => never>);
}
