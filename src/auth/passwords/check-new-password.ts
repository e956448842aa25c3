import { type FieldError, validationFailed } from '../../platform/errors/domain-error.js';
import { passwordFault } from './password-fault.js';

interface About {
  email: string;
  name: string;
  clientName: string;
}

/** Refuses what others would guess of this person. */
export function checkNewPassword(password: string, about: About): void {
  const faults = newPasswordFaults(password, about);
  if (faults.length > 0) throw validationFailed(faults);
}

/** The same where other fields may have faults too. */
export function newPasswordFaults(password: string, { email, name, clientName }: About): FieldError[] {
  const fault = passwordFault(password, [email, name, clientName]);
  return fault === undefined ? [] : [{ field: 'password', code: 'weak_password', message: fault }];
}
