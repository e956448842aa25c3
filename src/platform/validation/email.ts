import { DomainError } from '../errors/domain-error.js';
import { lineFault } from './texts.js';

/** The stored form of an address, for comparison. */
export function asEmail(text: string): string {
  return text.trim().toLowerCase();
}

export const MAX_EMAIL_LENGTH = 254;

/** One plain address: no list, and no display name. */
const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;

/** Keeps the spelling, and trims it. */
export function readEmail(text: string): string {
  const email = text.trim();
  const fault =
    lineFault(email, MAX_EMAIL_LENGTH) ?? (EMAIL.test(email) ? undefined : 'must look like name@example.com');
  if (fault === undefined) return email;
  throw new DomainError('invalid_value', `The e-mail address ${fault}.`, {
    errors: [{ field: 'email', code: 'invalid', message: fault }],
  });
}
