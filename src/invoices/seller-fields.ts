import type { DescribedField } from '../platform/validation/described-field.js';

/** What people set of the seller. Forms, facts and the command follow from it. */
export const SELLER_FIELDS = {
  name: { label: 'Legal name', longest: 200, isRequired: true },
  gstin: { label: 'GSTIN', hint: 'It also sets the state', longest: 15, isRequired: true },
  address: { label: 'Address', longest: 300, isRequired: true },
  state: { label: 'State', hint: 'By name or code. Empty: that of the GSTIN', longest: 60 },
  receiptVouchers: {
    label: 'Receipt vouchers for top-ups',
    options: [
      { value: 'no', text: 'No' },
      { value: 'yes', text: 'Yes' },
    ],
  },
} as const satisfies Record<string, DescribedField>;

export type SellerName = keyof typeof SELLER_FIELDS;

export type SellerChange = Partial<Record<SellerName, string>>;

export const SELLER_NAMES = Object.keys(SELLER_FIELDS) as SellerName[];
