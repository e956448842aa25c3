import { textIn } from '../../../pages/forms.js';
import type { FormFields } from '../../../platform/http/parse-form.js';

export interface TopUpForm {
  amount: string;
}

export interface TransferForm {
  amount: string;
  utr: string;
}

export function readTopUpForm(fields: FormFields): TopUpForm {
  return { amount: textIn(fields, 'amount') };
}

/** The fields have names of their own: both forms stand on one page. */
export function readTransferForm(fields: FormFields): TransferForm {
  return { amount: textIn(fields, 'sent'), utr: textIn(fields, 'utr') };
}
