import { DomainError } from '../../platform/errors/domain-error.js';

/** UPI and IMPS have 12 digits, NEFT 16 characters and RTGS 22. */
const UTR = /^[A-Z0-9]{10,22}$/;

/** The number by which banks know a transfer, in the one spelling in which it is compared. */
export function readUtr(text: string): string {
  const utr = text.replace(/[\s-]/g, '').toUpperCase();
  if (UTR.test(utr)) return utr;
  throw new DomainError(
    'invalid_value',
    'The UTR must be the 10 to 22 letters and digits that the bank gave.',
  );
}
