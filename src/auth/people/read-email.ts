import { DomainError } from '../../platform/errors/domain-error.js';
import { readLine } from '../../platform/validation/operator-text.js';

const LONGEST = 254;

/** One address, as far as can be told from its looks: nothing by which it would be a list, or bring a name along. */
const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;

/** As it was written, without what surrounds it. */
export function readEmail(text: string): string {
  const email = readLine('e-mail address', text, LONGEST);
  if (EMAIL.test(email)) return email;
  const message = 'The e-mail address must look like name@example.com.';
  const fault = { field: 'email', code: 'invalid', message: 'must look like name@example.com' };
  throw new DomainError('invalid_value', message, { errors: [fault] });
}
