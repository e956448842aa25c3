import { validationFailed } from '../../platform/errors/domain-error.js';
import { passwordFault } from './password-fault.js';

interface About {
  email: string;
  name: string;
  clientName: string;
}

/** Refuses what others would guess of this person. */
export function checkNewPassword(password: string, { email, name, clientName }: About): void {
  const fault = passwordFault(password, [email, name, clientName]);
  if (fault !== undefined)
    throw validationFailed([{ field: 'password', code: 'weak_password', message: fault }]);
}
