import { textIn } from '../../../pages/forms.js';
import { validationFailed } from '../../../platform/errors/domain-error.js';
import type { FormFields } from '../../../platform/http/parse-form.js';

export interface PasswordForm {
  current: string;
  password: string;
  again: string;
}

export function readPasswordForm(fields: FormFields): PasswordForm {
  const [current, password, again] = ['current', 'password', 'again'].map((name) => textIn(fields, name));
  return { current: current!, password: password!, again: again! };
}

/** Nobody sees what they type, and a slip would lock them out. */
export function requireSame({ password, again }: Pick<PasswordForm, 'password' | 'again'>): void {
  if (password !== again)
    throw validationFailed([{ field: 'again', code: 'different', message: 'is not the same' }]);
}
