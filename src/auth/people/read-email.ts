import { DomainError } from '../../platform/errors/domain-error.js';
import { lineFault } from '../../platform/validation/operator-text.js';

const LONGEST = 254;

/** One address, as far as can be told from its looks: nothing by which it would be a list, or bring a name along. */
const EMAIL = /^[^\s@,;<>"]+@[^\s@,;<>"]+$/;

/** As it was written, without what surrounds it. */
export function readEmail(text: string): string {
  const email = text.trim();
  const fault =
    lineFault(email, LONGEST) ?? (EMAIL.test(email) ? undefined : 'must look like name@example.com');
  if (fault === undefined) return email;
  throw new DomainError('invalid_value', `The e-mail address ${fault}.`, {
    errors: [{ field: 'email', code: 'invalid', message: fault }],
  });
}
