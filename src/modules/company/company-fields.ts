import { DomainError } from '../../platform/errors/domain-error.js';
import { type Detail, detailsIn } from '../../platform/settings/details.js';
import type { DescribedField } from '../../platform/validation/described-field.js';
import { paragraphFault } from '../../platform/validation/texts.js';

interface HouseField extends DescribedField {
  /** The variable that sets it instead. */
  variable: string;
}

const SHARED = { longest: 1_000, lines: 4 };

export const HOUSE_FIELDS = {
  bankDetails: {
    ...SHARED,
    label: 'Bank account for transfers',
    hint: 'A line for each part, such as “IFSC: HDFC0001234”. Empty: clients cannot pay by bank.',
    variable: 'BANK_TRANSFER_DETAILS',
  },
  contact: {
    ...SHARED,
    label: 'How clients reach you',
    hint: 'A line for each way, such as “Phone: +91 98200 00000”.',
    variable: 'CONTACT',
  },
} as const satisfies Record<string, HouseField>;

export type HouseName = keyof typeof HOUSE_FIELDS;

export type HouseChange = Partial<Record<HouseName, string>>;

export const HOUSE_NAMES = Object.keys(HOUSE_FIELDS) as HouseName[];

export const inLines = (details: readonly Detail[]) =>
  details.map(({ label, value }) => `${label}: ${value}`).join('\n');

/** Normalises the text of a field, or refuses it. */
export function readDetails(name: HouseName, text: string): string {
  const { label, longest } = HOUSE_FIELDS[name];
  const details = detailsIn(text);
  const fault = paragraphFault(text, longest) ?? (typeof details === 'string' ? details : undefined);
  if (fault === undefined) return inLines(details as Detail[]);
  throw new DomainError('invalid_value', `${label}: it ${fault}.`, {
    errors: [{ field: name, code: 'invalid_value', message: fault }],
  });
}
