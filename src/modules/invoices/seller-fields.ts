import type { DescribedField } from '../../platform/validation/described-field.js';
import { readFields } from '../../platform/validation/readers.js';
import { readLine } from '../../platform/validation/texts.js';
import { parseGstin, parseState } from '../tax/gstin.js';
import { readFrom } from './rules/registrations.js';

interface SellerField<Value> extends DescribedField {
  /** Throws for an invalid text. */
  read(text: string): Value;
}

const MAX_NAME_LENGTH = 200;
const MAX_ADDRESS_LENGTH = 300;

/** The editable fields of the seller. Forms, pages and the command follow from this list. */
export const SELLER_FIELDS = {
  name: {
    label: 'Legal name',
    maxLength: MAX_NAME_LENGTH,
    isRequired: true,
    read: (text: string) => readLine('name', text, MAX_NAME_LENGTH),
  },
  gstin: {
    label: 'GSTIN',
    hint: 'It also sets the state',
    maxLength: 30,
    isRequired: true,
    read: parseGstin,
  },
  address: {
    label: 'Address',
    maxLength: MAX_ADDRESS_LENGTH,
    isRequired: true,
    read: (text: string) => readLine('address', text, MAX_ADDRESS_LENGTH),
  },
  state: {
    label: 'State',
    hint: 'A name or code that matches the GSTIN. Leave empty to take it from the GSTIN',
    maxLength: 60,
    read: (text: string) => (text.trim() === '' ? null : parseState(text)),
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
    maxLength: 30,
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

export type SellerFieldName = keyof typeof SELLER_FIELDS;

export type SellerChange = Partial<Record<SellerFieldName, string>>;

type SellerValues = { [Name in SellerFieldName]: ReturnType<(typeof SELLER_FIELDS)[Name]['read']> };

export const SELLER_FIELD_NAMES = Object.keys(SELLER_FIELDS) as SellerFieldName[];

/** The given values. All faults are reported at once, by field. */
export function readSeller(change: SellerChange): Partial<SellerValues> {
  const changed = SELLER_FIELD_NAMES.filter((name) => change[name] !== undefined);
  const readers = changed.map((name) => [name, () => SELLER_FIELDS[name].read(change[name]!)]);
  return readFields(Object.fromEntries(readers) as Record<SellerFieldName, () => never>);
}
