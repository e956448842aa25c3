import { textIn } from '../../../pages/forms.js';
import type { FormFields } from '../../../platform/http/parse-form.js';

export interface ChooseForm {
  name: string;
  password: string;
  again: string;
}

/** Whoever pastes may paste the whole link, and a blank with it. */
export function readCode(fields: FormFields): string {
  return textIn(fields, 'code').trim().replace(/^.*#/s, '');
}

export function readChooseForm(fields: FormFields): ChooseForm {
  return {
    name: textIn(fields, 'name'),
    password: textIn(fields, 'password'),
    again: textIn(fields, 'again'),
  };
}

export function readAddress(fields: FormFields): string {
  return textIn(fields, 'email');
}
