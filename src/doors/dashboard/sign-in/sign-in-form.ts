import { textIn } from '../../../pages/forms.js';
import type { FormFields } from '../../../platform/http/parse-form.js';
import { nextPath } from './next-path.js';

export interface SignInForm {
  email: string;
  password: string;
  next: string;
}

export interface CodeForm {
  code: string;
  next: string;
}

export function readSignInForm(fields: FormFields): SignInForm {
  return {
    email: textIn(fields, 'email'),
    password: textIn(fields, 'password'),
    next: nextPath(textIn(fields, 'next')),
  };
}

export function readCodeForm(fields: FormFields): CodeForm {
  return { code: textIn(fields, 'code'), next: nextPath(textIn(fields, 'next')) };
}
