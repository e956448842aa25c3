import { DomainError } from '../../platform/errors/domain-error.js';
import { type Detail, parseDetails } from '../../platform/settings/details.js';
import type { DescribedField } from '../../platform/validation/described-field.js';
import { paragraphFault } from '../../platform/validation/texts.js';

interface CompanyField extends DescribedField {
  /** The variable that sets it instead. */
  variable: string;
}

const SHARED = { maxLength: 1_000, lines: 4 };

export const COMPANY_FIELDS = {
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
} as const satisfies Record<string, CompanyField>;

export type CompanyFieldName = keyof typeof COMPANY_FIELDS;

export type CompanyChange = Partial<Record<CompanyFieldName, string>>;

export const COMPANY_FIELD_NAMES = Object.keys(COMPANY_FIELDS) as CompanyFieldName[];

export const formatDetails = (details: readonly Detail[]) =>
  details.map(({ label, value }) => `${label}: ${value}`).join('\n');

/** Normalises the text of a field, or refuses it. */
export function readDetails(name: CompanyFieldName, text: string): string {
  const { label, maxLength } = COMPANY_FIELDS[name];
  const details = parseDetails(text);
  const fault = paragraphFault(text, maxLength) ?? (typeof details === 'string' ? details : undefined);
  if (fault === undefined) return formatDetails(details as Detail[]);
  throw new DomainError('invalid_value', `${label}: it ${fault}.`, {
    errors: [{ field: name, code: 'invalid_value', message: fault }],
  });
}
